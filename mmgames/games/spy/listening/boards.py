"""Boards: cells with what stands on them, at places with names; a clue says what stands where, and how much of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening import claims as c
from mmgames.games.spy.listening.claims import Selection, World
from mmgames.games.spy.listening.lexicon import NUMBERS, ORDINALS, Token
from mmgames.games.spy.listening.parser import Items, Parser
from mmgames.games.spy.listening.phrases import END, Phrase, union

FILLED = c.Has("filled", ("yes",))
_SIDES = {
    "top": 0, "upper": 0, "topmost": 0, "bottom": -1, "lower": -1, "bottommost": -1,
    "left": 0, "leftmost": 0, "right": -1, "rightmost": -1,
}  # fmt: skip
_INDEX = _SIDES | {word: number - (number > 0) for word, number in ORDINALS.items()}
_CENTRE = {"middle", "centre", "center", "central"}
_CELL = re.compile("(?:cell|square|point|tile|field|spot|space|intersection|box|one|of)(?:e?s)?")
_STEPS = {"above": (-1, 0), "below": (1, 0), "left": (0, -1), "right": (0, 1)}


def holds_digits(record: Mapping[str, Any]) -> bool:
    """Whether a number may be what a cell of this board holds, as in Sudoku."""
    names = " ".join(record["codes"].values())
    return " 1" in names and "pot" not in names


@lru_cache(maxsize=64)
def _names(game: str, high: int, wide: int) -> dict[str, int]:
    """The numbers of cells by their names."""
    from mmgames.tasks.positions import board

    places = board(game).places(high, wide)
    return {places[row][column].lower(): row * wide + column for row in range(high) for column in range(wide)}


class BoardWorld(World):
    def __init__(self, record: Mapping[str, Any]) -> None:
        cells = record["cells"]
        self.high, self.wide = len(cells), len(cells[0])
        self.size = self.high * self.wide
        self.names = _names(record["game"], self.high, self.wide)
        names = {code: name.lower().removesuffix(" with no mine beside it") for code, name in record["codes"].items()}
        words = {code: frozenset(re.findall(r"[a-z]+|\d", name)) for code, name in names.items()}
        self.cells = [words[str(code)] for row in cells for code in row]

    def has(self, dimension: str, value: str) -> int:
        wanted = {"empty": {"empty", "free"}, "player": {"player", "players"}}.get(value, {value})
        if dimension == "filled":
            return sum(1 << i for i, words in enumerate(self.cells) if not words & {"empty", "free", "closed"})
        return sum(1 << i for i, words in enumerate(self.cells) if words & wanted)

    def key(self, name: str) -> Sequence[Any]:
        return [i // self.wide if name == "row" else i % self.wide if name == "column" else i for i in range(self.size)]

    def related(self, relation: str, one: int, other: int) -> bool:
        down, across = one // self.wide - other // self.wide, one % self.wide - other % self.wide
        if relation not in ("near", "between"):
            *just, side = relation.split()
            row, column = _STEPS[side]
            steps = down * row + across * column
            return (down, across) == (steps * row, steps * column) and (steps == 1 if just else steps > 0)
        return max(abs(down), abs(across)) == 1

    def at(self, place: str) -> int:
        """The cells that all words of a place name; a place that the board has not has no cells."""
        if place in self.names:
            return 1 << self.names[place]
        place, _, end = place.partition(" from ")
        words = re.findall(r"\w+", place)
        line = next((word for word in words if re.match("row|rank|col|file", word)), "")
        lettered = self.names.get("a1", 0) // self.wide == self.names.get("b1", -1) // self.wide  # columns, as in chess
        chosen: dict[bool, Iterable[int]] = {}  # rows, and columns, which are across
        for word in words:
            across, index = line.startswith(("col", "file")), _INDEX.get(word)
            number = int(word) if word.isdigit() else NUMBERS.get(word)
            if word in _SIDES:
                across = word.startswith(("left", "right"))
            elif f"{word}1" in self.names:
                cell, across = self.names[f"{word}1"], lettered
                index = cell % self.wide if lettered else cell // self.wide
            elif index is not None and (re.search("bottom|right", end) or (line == "rank" and lettered)):
                index = -1 - index
            elif number is not None:
                index = self.names.get(f"a{number}", -1) // self.wide if lettered and not across else number - 1
            if index is not None:
                chosen[across] = [index]
        axes = (line.startswith(("col", "file")),) if line and not chosen else (False, True)
        for axis, long in ((axis, self.wide if axis else self.high) for axis in axes):
            if "half" in words and axis in chosen:
                chosen[axis] = range(long // 2) if chosen[axis] == [0] else range((long + 1) // 2, long)
            elif _CENTRE & set(words):
                chosen.setdefault(axis, (long // 2, (long - 1) // 2))
            elif words[-1].startswith("corner"):
                chosen.setdefault(axis, (0, -1))
        rows, columns = chosen.get(False, range(self.high)), chosen.get(True, range(self.wide))
        cells = {
            row % self.high * self.wide + column % self.wide
            for row in rows if -self.high <= row < self.high
            for column in columns if -self.wide <= column < self.wide
        }  # fmt: skip
        return sum(1 << cell for cell in cells) if chosen else 0


class BoardPhrase(Phrase):
    @property
    def named(self) -> bool:
        return bool(self.dims) or (bool(self.noun) and not _CELL.fullmatch(self.noun))

    @property
    def what(self) -> Selection:
        found = super().what
        filled = self.named or (self.quantity == "no" and self.placed)
        return c.AllOf((found, FILLED)) if filled and not self.dims else found


class BoardParser(Parser):
    """Where a place is the subject, what follows is what stands there; digits may be what a cell holds."""

    new = BoardPhrase

    def __init__(self, digits: bool) -> None:
        super().__init__()
        self.digits = digits

    def sentence(self, tokens: Sequence[Token]) -> None:
        found: list[Token] = []
        for token, after in zip(tokens, [*tokens[1:], END], strict=False):
            if self.digits and token.kind == "num" and token.value in "123456789":
                called = bool(found) and found[-1].text in ("digit", "number", "digits", "a", "an")
                if called or (token.text.isdigit() and after.kind not in ("attr", "noun", "of")):
                    token = token._replace(kind="attr", value=f"kind {token.value}")
            found.append(token)
        super().sentence(found)

    def leading_places(self) -> list[Selection]:
        return []  # a place is a subject here

    def goes_on(self, phrase: Phrase, joint: Token) -> bool:
        if self.now.kind == "place" and joint.kind == ",":  # "row 7, column 8"; "a queen, d4"
            return phrase.named or ("row" in str(phrase.parts) and "col" in self.now.value)
        return self.now.kind in ("except", "rel") and joint.kind == ","

    def depends(self, head: Phrase, phrase: Phrase) -> bool:
        return False

    def state(self, found: Sequence[Phrase], head: Phrase | None = None) -> None:
        if len(found) > 1 and found[0].placed:
            self.combine([found[0]], [(False, each) for each in found[1:]], False)
        else:
            super().state(found, head)

    def combine(self, subject: list[Phrase], items: Items, either: bool) -> None:
        said = [(denied, phrase) for denied, phrase in items if phrase.named or phrase.parts or phrase.quantity == "no"]
        only = any(phrase.only for _, phrase in said)
        for each in subject:
            if each.placed and len(said) > 2 and not only:  # "the top row is X, empty, O"
                self.claims.append(c.Order("cell", -1, tuple(phrase.what for _, phrase in said), each.what))
                continue
            for denied, phrase in said:
                self.like(each.what, phrase)
                self.meet(each, phrase, denied, len(said) == 1)
            if only and each.placed:
                every = union(phrase for _, phrase in said)
                self.claims.append(c.Share(every, c.AllOf((each.what, FILLED)), "==", 1))
        self.about(*subject)

    def meet(self, subject: Phrase, phrase: Phrase, denied: bool, alone: bool) -> None:
        """That what two phrases name is at the same cells."""
        both = c.AllOf((subject.what, phrase.what))
        number = subject.number if phrase.number is None else phrase.number
        plain = phrase.named and alone and not (phrase.indefinite or phrase.exact or phrase.quantity or phrase.definite)
        if denied or "no" in (phrase.quantity, subject.quantity):
            self.claims.append(c.Count(both, "==", 0))
        elif subject.quantity or (subject.placed and plain):
            subject.quantity = subject.quantity or "all"
            self.say(subject, phrase.what)
        elif number is not None:
            self.claims.append(c.Count(both, phrase.relation or subject.relation or "==", number))
        else:
            self.claims.append(c.Count(both, ">=", 1))

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        if not self.take("commonest"):
            return super().special(subject, denied)
        self.claims.append(c.Compare(union(subject), ">", c.Without(FILLED, union(subject))))
        return True
