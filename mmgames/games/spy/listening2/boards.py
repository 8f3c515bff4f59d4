"""Boards as a world: cells with what stands on them, and the places of a board by their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any as Anything

from mmgames.games.spy.listening2.claims import (
    All, Any, At, Claim, Compare, Count, Everything, Has, Order, Related, Selection, Share, Without,
)  # fmt: skip
from mmgames.games.spy.listening2.lexicon import BOARDS, NUMBERS, SHARED, Scanner, Token
from mmgames.games.spy.listening2.parser import Parser
from mmgames.games.spy.listening2.phrases import END, Phrase

_COLOURS = ("black", "white", "red", "blue", "green")
_NTH = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "seventh": 6, "eighth": 7, "last": -1}
_HIGH, _LOW, _MIDDLE = ("top", "upper", "topmost"), ("bottom", "lower", "bottommost"), ("middle", "centre", "center", "central")
FILLED = Has("filled", ("yes",))


@cache
def scanner() -> Scanner:
    return Scanner((BOARDS, SHARED))


@lru_cache(maxsize=64)
def names_of(game: str, high: int, wide: int) -> dict[str, int]:
    """The numbers of cells by their names."""
    from mmgames.tasks.positions import board

    places = board(game).places(high, wide)
    return {places[row][column].lower(): row * wide + column for row in range(high) for column in range(wide)}


class BoardWorld:
    def __init__(self, record: Mapping[str, Anything]) -> None:
        cells = record["cells"]
        self.high, self.wide = len(cells), len(cells[0])
        self.size = self.high * self.wide
        self.names = names_of(record["game"], self.high, self.wide)
        words = {code: frozenset(re.findall(r"[a-z]+|\d", name.lower())) for code, name in record["codes"].items()}
        self.cells = [words[str(code)] for row in cells for code in row]

    def has(self, dimension: str, value: str) -> int:
        if dimension == "filled":
            return sum(1 << i for i, words in enumerate(self.cells) if not words & {"empty", "free", "closed"})
        if value == "player":
            return sum(1 << i for i, words in enumerate(self.cells) if words & {"player", "players"})
        wanted = {value, "free"} if value == "empty" else {value}
        return sum(1 << i for i, words in enumerate(self.cells) if words & wanted)

    def key(self, name: str) -> Sequence[float]:
        if name == "row":
            return [i // self.wide for i in range(self.size)]
        if name == "column":
            return [i % self.wide for i in range(self.size)]
        return range(self.size)

    def amount(self, chosen: int) -> float:
        return chosen.bit_count()

    def related(self, relation: str, one: int, other: int) -> bool:
        down, across = one // self.wide - other // self.wide, one % self.wide - other % self.wide
        near = relation.startswith("just")
        match relation.removeprefix("just "):
            case "above":
                return across == 0 and (down == -1 if near else down < 0)
            case "below":
                return across == 0 and (down == 1 if near else down > 0)
            case "left":
                return down == 0 and (across == -1 if near else across < 0)
            case "right":
                return down == 0 and (across == 1 if near else across > 0)
        return max(abs(down), abs(across)) == 1

    # Places

    def at(self, place: str) -> int:
        """The cells at a place; what is said of a place that the board has not is said of no cell."""
        if place in self.names:
            return 1 << self.names[place]
        words = re.findall(r"\w+", place)
        line = next((word.rstrip("s") for word in words if word.startswith(("row", "rank", "column", "file", "col"))), "")
        if line:
            return self._line(line, [word for word in words if not word.startswith(("row", "rank", "column", "file", "col"))])
        if any(word.startswith("corner") for word in words) and not {*_HIGH, *_LOW, "left", "right"} & set(words):
            return (self._row(0) | self._row(-1)) & (self._column(0) | self._column(-1))
        if "diagonal" in words:
            falls = sum(1 << i for i in range(self.size) if i // self.wide == i % self.wide)
            return falls
        if "half" in words:
            return self._half(words)
        found = (1 << self.size) - 1
        named = False
        for group, row in ((_HIGH, self._row(0)), (_LOW, self._row(-1)), (("left",), self._column(0)), (("right",), self._column(-1))):
            if set(group) & set(words):
                found &= row
                named = True
        if set(_MIDDLE) & set(words):
            if not named or not {*_HIGH, *_LOW} & set(words):
                found &= self._middle_row()
            if not named or not {"left", "right"} & set(words):
                found &= self._middle_column()
            named = True
        if "edge" in words and not named:
            return self._row(0) | self._row(-1) | self._column(0) | self._column(-1)
        return found if named else 0

    def _line(self, line: str, words: list[str]) -> int:
        across = line in ("column", "file", "col")
        far = "bottom" in words[1:] or "right" in words[1:]
        for word in words:
            if word in _NTH or re.fullmatch(r"\d(?:st|nd|rd|th)", word):
                place = _NTH.get(word, int(word[0]) - 1 if word[0].isdigit() else 0)
                place = -1 - place if far or line == "rank" and self._columns_lettered else place
                return self._column(place) if across else self._row(place)
            if re.fullmatch("[a-o]", word) and f"{word}1" in self.names:
                cell = self.names[f"{word}1"]
                return self._column(cell % self.wide) if self._columns_lettered else self._row(cell // self.wide)
            if word.isdigit() or word in NUMBERS:
                number = int(word) if word.isdigit() else NUMBERS[word]
                if not across and self._columns_lettered and f"a{number}" in self.names:
                    return self._row(self.names[f"a{number}"] // self.wide)
                return self._column(number - 1) if across else self._row(number - 1)
            if word in _MIDDLE:
                return self._middle_column() if across else self._middle_row()
            if word in (*_HIGH, *_LOW):
                return self._row(0 if word in _HIGH else -1)
            if word.startswith(("left", "right")):
                return self._column(0 if word.startswith("left") else -1)
        return 0

    @property
    def _columns_lettered(self) -> bool:
        return "a1" in self.names and self.names["a1"] // self.wide == self.names.get("b1", -1) // self.wide

    def _half(self, words: list[str]) -> int:
        if {"left", "right"} & set(words):
            return sum(1 << i for i in range(self.size) if (i % self.wide < self.wide / 2) == ("left" in words))
        return sum(1 << i for i in range(self.size) if (i // self.wide < self.high / 2) == bool({*_HIGH} & set(words)))

    def _row(self, row: int) -> int:
        if not -self.high <= row < self.high:
            return 0
        return ((1 << self.wide) - 1) << (row % self.high * self.wide)

    def _column(self, column: int) -> int:
        if not -self.wide <= column < self.wide:
            return 0
        return sum(1 << (row * self.wide + column % self.wide) for row in range(self.high))

    def _middle_row(self) -> int:
        return self._row(self.high // 2) | self._row((self.high - 1) // 2)

    def _middle_column(self) -> int:
        return self._column(self.wide // 2) | self._column((self.wide - 1) // 2)


class BoardPhrase(Phrase):
    @property
    def named(self) -> bool:
        return bool(self.dims) or bool(self.noun) and self.noun not in _CELLS


class BoardParser(Parser):
    """Where a place is the subject, what follows is what stands there; digits may be what a cell holds."""

    def __init__(self, digits: bool) -> None:
        super().__init__()
        self.digits = digits

    def new(self) -> Phrase:
        return BoardPhrase()

    def sentence(self, tokens: Sequence[Token]) -> None:
        found: list[Token] = []
        for token, after in zip(tokens, [*tokens[1:], END], strict=False):
            if self.digits and token.kind in ("num", "digit") and token.value in "123456789":
                named = token.kind == "digit" or found and found[-1].kind in ("a", "noun") and found[-1].text not in _CELLS
                if named or token.text.isdigit() and after.kind not in ("attr", "noun", "of"):
                    if found and found[-1].text in ("digit", "number"):
                        found.pop()
                    token = Token("attr", f"kind {token.value}", token.text, token.start, token.gap)
            found.append(token)
        super().sentence([token for token in found if token.kind != "digit"])

    def goes_on(self, phrase: Phrase) -> bool:
        steps = 2 if self.now.kind == "," and self.ahead().kind == "and" else 1
        first = self.ahead(steps)
        if first.kind == "place" and "row" in "".join(self.places_of(phrase)) and re.search("col|file", first.value):
            return True  # "row 7, column 8"
        if first.kind == "place" and self.now.kind == ",":
            return phrase.named and self.ahead(steps + 1).kind in ("end", ",", ".") and not self.places_of(phrase)
        return first.kind in ("except", "rel") and self.now.kind == ","

    @staticmethod
    def places_of(phrase: Phrase) -> list[str]:
        return [each.place for each in phrase.parts if isinstance(each, At)]

    def refer(self, phrase: Phrase) -> None:
        if not phrase.dims and phrase.noun in ("one", ""):
            super().refer(phrase)

    def more(self, phrase: Phrase) -> bool:
        if self.take("mutual"):
            phrase.parts.append(Related("near", self.spoken_of))
            return True
        return False

    def depends(self, head: Phrase, phrase: Phrase) -> bool:
        return not head.named and bool(self.places_of(head)) and phrase.named and not self.places_of(phrase)

    def say(self, phrase: Phrase, predicate: Selection | None = None, told: object = None) -> None:
        if phrase.noun and phrase.noun not in _CELLS and not phrase.dims:
            phrase.dims["filled"] = ("yes",)
        if phrase.named or phrase.number is not None and phrase.noun in _CELLS and phrase.parts:
            super().say(phrase, predicate)

    def combine(self, subject: list[Phrase], items: list[tuple[bool, Phrase]], either: bool) -> None:
        only = [phrase for _, phrase in items if phrase.only and phrase.named]
        for each in subject:
            if each.noun and each.noun not in _CELLS and not each.dims:
                each.dims["filled"] = ("yes",)
            alternatives: list[Selection] = []
            for denied, phrase in items:
                if phrase.noun and phrase.noun not in _CELLS and not phrase.dims:
                    phrase.dims["filled"] = ("yes",)
                if not phrase.named and not phrase.parts:
                    continue
                if either:
                    alternatives.append(phrase.what)
                else:
                    self.meet(each, phrase, denied)
            if alternatives:
                self.claims.append(Count(All((each.what, Any(tuple(alternatives)))), ">=", 1))
            if only and not each.named:
                named = [phrase.what for _, phrase in items]
                self.claims.append(Share(Any(tuple(named)), All((each.what, FILLED)), "==", 1))
        self.about(*subject)

    def meet(self, subject: Phrase, phrase: Phrase, denied: bool) -> None:
        """That what two phrases name is at the same cells."""
        both = All((subject.what, phrase.what))
        plain = not (phrase.indefinite or phrase.number is not None or phrase.quantity)
        if denied or "no" in (phrase.quantity, subject.quantity):
            self.claims.append(Count(both, "==", 0))
        elif subject.quantity in ("all", "both") or not subject.named and phrase.named and plain and self.verb == "is":
            self.claims.append(Share(phrase.what, subject.what, "==", 1))
            self.count(subject)
        elif subject.quantity in ("most", "half"):
            self.say(subject, phrase.what)
        elif phrase.quantity == "all" and not phrase.named:
            self.claims.append(Share(subject.what, phrase.what, "==", 1))
        elif phrase.number is not None:
            self.claims.append(Count(both, phrase.relation or "==", phrase.number))
        elif subject.number is not None:
            self.claims.append(Count(subject.what if subject.definite else both, subject.relation or "==", subject.number))
            self.claims.append(Count(both, ">=", 1))
        else:
            self.claims.append(Count(both, ">=", 1))

    verb = "is"

    def predicate(self, subject: list[Phrase]) -> None:
        self.verb = "has" if re.match("ha|con|sho|hol|inc", self.tokens[self.i - 1].text) else "is"
        super().predicate(subject)

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        whole = Any(tuple(each.what for each in subject))
        if self.take("commonest"):
            self.claims.append(Compare(whole, ">", Without(FILLED, whole)))
            return True
        if self.now.kind in ("more", "asmany", "ratio") or self.now.kind == "num" and self.ahead().kind == "more":
            number = self.take("num")
            ratio, token = self.take("ratio"), self.take("more", "asmany")
            own = self.phrase()
            other = self.phrase() if self.take("than", "as") else None
            if other is None:
                self.unused += 2
                return True
            one: Selection = All((whole, own.what)) if own and own.named else All((whole, FILLED))
            relation = {"more": ">", "fewer": "<"}.get(token.value if token else "", "==")
            extra = float(number.value) * (1 if relation == ">" else -1) if number else 0
            factor = float(ratio.value) if ratio else 1
            self.claims.append(Compare(one, "==" if number else relation, All((other.what, FILLED)), factor, extra))
            return True
        return super().special(subject, denied)

    def state(self, found: Sequence[Phrase], head: Phrase | None = None) -> None:
        place = found[0] if found and not found[0].named and self.places_of(found[0]) else None
        if place is None or len(found) < 2:
            super().state(found, head)
            return
        rest = list(found[1:])
        plain = all(each.number is None and not each.quantity and not each.only for each in rest)
        if plain and len(rest) > 2:
            self.claims.append(Order("place", -1, tuple(each.what for each in rest), place.what))
            return
        self.verb = "has" if any(each.number is not None for each in rest) else "is"
        self.combine([place], [(False, each) for each in rest], False)


_CELLS = ("cell", "cells", "square", "squares", "point", "points", "tile", "tiles", "field", "fields", "spot", "spots",
          "space", "spaces", "intersection", "intersections", "box", "boxes", "one", "ones", "of")  # fmt: skip
