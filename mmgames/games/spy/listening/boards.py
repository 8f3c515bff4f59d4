"""Clues about boards: what stands on which cells, how many of a kind there are, and what stands beside what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening import board_patterns as say
from mmgames.games.spy.listening.board_places import Cells, Map
from mmgames.games.spy.listening.board_words import plain
from mmgames.games.spy.listening.things import COMPARE
from mmgames.games.spy.listening.vocabulary import NUMBERS, number


@lru_cache(maxsize=64)
def _kinds(codes: tuple[tuple[str, str], ...]) -> tuple[dict[int, frozenset[str]], frozenset[int]]:
    """The words for what a cell may hold, and which codes are empty."""
    words, empty = {}, set()
    for code, name in codes:
        plain = name.lower().replace("with no mine beside it", "nomines")
        plain = plain.replace("both players", "player")
        words[int(code)] = frozenset(say.SAME.get(w, w) for w in say.WORD.findall(plain) if w not in say.PLAIN)
        if say.EMPTY.search(plain) and not re.search("pot|dish|counter", plain):
            empty.add(int(code))
    return words, frozenset(empty)


class BoardReading:
    """What sentences say of one board."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.cells = record["cells"]
        self.game = record["game"]
        self.map = Map(self.game, len(self.cells), len(self.cells[0]))
        self.words, self.empty = _kinds(tuple(record["codes"].items()))
        self.known = frozenset(word for words in self.words.values() for word in words)
        self.digits = any(word.isdigit() for word in self.known) and "pot" not in self.known
        self.double = frozenset(int(code) for code, name in record["codes"].items() if name.startswith("both"))
        self.claims: list[bool] = []
        self.pending: Cells | None = None  # a place that was named before what is there
        self.codes: frozenset[int] | None = None  # what was spoken of last
        self.where: Cells | None = None

    def at(self, codes: frozenset[int], where: Cells | None = None) -> list[tuple[int, int]]:
        return sorted(cell for cell in where or self.map.all if self.cells[cell[0]][cell[1]] in codes
                      and (where is None or cell in where))  # fmt: skip

    def count(self, codes: frozenset[int], where: Cells | None) -> int:
        if where is not None and not where:
            return 0
        return sum(2 if self.cells[r][c] in self.double else 1 for r, c in self.at(codes, where))

    def codes_of(self, said: str) -> frozenset[int] | None:
        """The codes whose names a text mentions most words of; None if it mentions none."""
        heard = {say.SAME.get(word, word) for word in say.WORD.findall(say.COUNTED.sub(" ", said))}
        heard |= {word.removesuffix("s") for word in heard if len(word) > 3}
        heard &= self.known
        if not self.digits:
            heard = {word for word in heard if not word.isdigit()}
        specific = heard - {"digit"} if self.digits and heard - {"digit"} else heard
        scores = {code: len(specific & kind) for code, kind in self.words.items() if code not in self.empty}
        most = max(scores.values(), default=0)
        full = frozenset(self.words) - self.empty
        if most:
            return frozenset(code for code, score in scores.items() if score == most)
        if say.EMPTY.search(said):
            return self.empty
        return full if say.ANY.search(said) or say.FILLED.search(said) else None

    def read(self, sentence: str) -> None:
        self.pending = None
        if re.search(
            r"\b(?:looks?|feels?|seems?)\b(?: \w+)? (?:a bit|a little|quite|rather|pretty|fairly|somewhat)\b", sentence
        ):
            return
        sentence = re.sub(r"\b(?:with )?no (?:adjacent |neighbou?ring )?mines?(?: beside| next to| near\w*| "
            r"around)?(?: it)?\b"
                          if re.search(r"\bopen", sentence) else r"$^", "nomines", sentence)  # fmt: skip
        sentence = plain(sentence, self.map.listing)
        if self.digits:  # "three nines"
            sentence = say.PLURAL_DIGITS.sub(lambda found: f"{NUMBERS[found[1]]} s", sentence)
            sentence = say.COUNTED_ONES.sub(r"\1 1 s", sentence)
        if found := say.NOTHING_ELSE.search(sentence):
            self.read(sentence[: found.start()])
            if self.codes is not None:
                full = frozenset(self.words) - self.empty
                self.claims.append(self.count(full, None) == self.count(self.codes, self.where))
            return
        for form in (
            self._in_a_row,
            self._alike,
            self._lost,
            self._full_line,
            self._line,
            self._compared,
            self._related,
        ):
            if form(sentence):
                return
        for part in say.CLAUSE.split(sentence):
            if part.strip():
                self._part(part.strip(), sentence)

    def _alike(self, sentence: str) -> bool:
        """ "A1 and C3 hold the same symbol"."""
        found = say.ALIKE.search(sentence)
        places = [self.map.find(part)[0] for part in re.split(r" and |,", sentence[: found.start()])] if found else []
        if not found or len(places) < 2 or any(each is None or len(each) != 1 for each in places):
            return False
        codes = {self.cells[r][c] for each in places for r, c in each or ()}
        self.claims.append(len(codes) == (1 if found[1] == "same" else len(places)) and not codes & self.empty)
        return True

    def _in_a_row(self, sentence: str) -> bool:
        """ "Three black discs in a vertical line": so many side by side."""
        found = say.IN_A_ROW.search(sentence)
        told = number(found[1]) if found else None
        where, rest = self.map.find(
            f"{sentence[: found.start()]} {found[2]} {sentence[found.end() :]}" if found else ""
        )
        codes = self.codes_of(rest)
        if found is None or not told or not codes:
            return False
        steps = {"horizontal": [(0, 1)], "vertical": [(1, 0)], "diagonal": [(1, 1), (1, -1)]}.get(found[3] or "")
        cells = set(self.at(codes, where))
        self.claims.append(any(
            all((row + down * step, column + across * step) in cells for step in range(told))
            for row, column in cells for down, across in steps or [(0, 1), (1, 0), (1, 1), (1, -1)]
        ))  # fmt: skip
        self.codes, self.where = codes, where
        return True

    def _lost(self, sentence: str) -> bool:
        """ "White has lost a knight": how many chessmen of a kind are left."""
        found = say.LOST.search(sentence)
        if found is None or not self.game.startswith("mmgames/Chess"):
            return False
        codes = self.codes_of(f"{found[1]} {found[3]}") or frozenset()
        gone = 2 if found[2] == "both" else number(found[2]) or 1
        self.claims.append(self.count(codes, None) == say.MEN.get(found[3].removesuffix("s"), 0) - gone)
        return True

    def _full_line(self, sentence: str) -> bool:
        """ "X has a complete row"."""
        found = say.FULL_LINE.search(sentence)
        codes = self.codes_of(sentence[: found.start()]) if found else None
        if not found or not codes:
            return False
        self.claims.append(any(self.count(codes, line) == len(line) for line in self.map.lines(found[1])))
        return True

    def _line(self, sentence: str) -> bool:
        """ "The middle row is O, X, O"; "the top row starts with 4 and 5"; "row A has only 2, 5 and 7"."""
        where, rest = self.map.find(sentence)
        if where is None or len(where) < 3:
            return False
        starts = re.search(r"\b(starts|begins|opens|ends|finishes) with\b", rest)
        only = (
            None
            if starts
            else re.search(
                r"\b(?:only|just|exactly|nothing but)\b(?! (?:\w+ )?(?:digits|"
                r"numbers|entries|cells))(?=.*\d.*(?:,| and ))",
                rest,
            )
        )
        if not (starts or only) and "," not in rest and ":" not in rest:
            return False
        behind = starts or only
        tail = rest[behind.end() :] if behind else rest.partition(":")[2] or rest.rpartition(" is ")[2]
        told = [self.codes_of(part) for part in say.CLAUSE.split(tail) if part.strip()]
        row = [self.cells[r][c] for r, c in sorted(where)]
        if not behind and len(told) < len(row) == len(tail.split()):  # "O O X"
            told = [self.codes_of(word) for word in tail.split()]
        if any(each is None for each in told) or not told or (not behind and len(told) != len(row)):
            return False
        if only:
            held = sorted(code for code in row if code not in self.empty)
            self.claims.append(self.digits and held == sorted(code for each in told for code in each or ()))
            return True
        row = row[::-1] if starts and starts[1] in ("ends", "finishes") else row
        self.claims.append(all(code in each for code, each in zip(row, told, strict=False) if each is not None))
        return True

    def _compared(self, sentence: str) -> bool:
        """ "White has more discs than black", "fewer white than black pieces"."""
        if say.MORE_THAN.search(sentence):
            return False
        if found := say.BY.search(sentence):
            one = found[1] or found[5]
            by = next((number(each) for each in (found[2], found[4], found[6]) if each), None)
            return self._size(one, "more", found[3] or say.RIVAL[one], by)
        if say.EVEN.search(sentence):
            sides = ("black", "white") if "black" in self.known else ("x", "o")
            return self._size(sides[0], "as", sides[1])
        if found := say.AS_MANY.search(sentence):
            one, other = found[1] or found[3], found[2] or found[4]
            return self._size(one, "as", other)
        if found := say.HAS_MORE.search(sentence):
            where, owner = self.map.find(found[1])
            if where is not None and self.codes_of(owner) is None and self.map.find(found[4])[0] is None:
                self.pending = where  # "row C has more black than white stones"
                return self._size(found[3], found[2], found[4])
            return self._size(f"{found[1]} {found[3]}", found[2], f"{found[4]} {found[3]}")
        if found := say.MORE.search(sentence):
            if found[1]:
                self.pending = self.map.find(sentence[: found.start()])[0]
                return self._size(found[2], found[1], found[3])
            return self._size(found[4], "more", found[6])
        if found := say.MAJORITY.search(sentence):
            return self._size(found[1], "more", say.RIVAL[found[1]])
        return False

    def _size(self, one: str, word: str, other: str, by: int | None = None) -> bool:
        """That there is more of one kind than of another, or by so much, or in one place than in another."""
        (here, one), (there, other) = self.map.find(one), self.map.find(other)
        if here is None or there is None:
            here = there = here or there or self.pending
        a, b = self.codes_of(one), self.codes_of(other)
        if a is None or b is None or (a == b and here == there):
            return False
        more = self.count(a, here) - self.count(b, there)
        self.claims.append(
            more == by if by else more == 0 if word == "as" else more > 0 if word == "more" else more < 0
        )
        return True

    def _related(self, sentence: str) -> bool:
        """ "The red player is directly above the coin"."""
        if (found := say.TOGETHER.search(sentence)) or say.SAME_LINE.search(sentence):
            return self._in_line(sentence, bool(found))
        found = say.RELATION.search(sentence)
        if found is None or re.match(r"(?:corner|edge|side|column|half|end|hand|of the board)\b|[- ]", found[4]):
            return False
        there, rest = self.map.find(found[4].split(" and ")[0])
        one, other = self.codes_of(self.map.find(found[1])[1]), self.codes_of(rest)
        if re.match(r"other\b", found[4]):
            other = one
        if one is None or other is None:
            return False
        axis, sign = {
            "left": (1, -1), "right": (1, 1), "above": (0, -1), "over": (0, -1), "below": (0, 1), "under": (0, 1),
            "beneath": (0, 1),
        }.get(found[3], (0, 0))  # fmt: skip
        close = bool(found[2]) or not sign or bool(re.search(r"\bone (?:cell|square|step|row|column)\b", sentence))
        pairs = [(a, b) for a in self.at(one) for b in self.at(other, there) if a != b]
        if sign:
            far = [(a[axis] - b[axis]) * sign > 0 and (not close or _touch(a, b)) for a, b in pairs]
        else:
            far = [_touch(a, b) for a, b in pairs]
        self.claims.append(any(far))
        self.codes = one
        return True

    def _in_line(self, sentence: str, close: bool) -> bool:
        names = [part for part in re.split(r" and | as ", say.SAME_LINE.sub(" ", sentence)) if self.codes_of(part)]
        kinds = [self.codes_of(part) or frozenset() for part in names]
        if not kinds or self.empty in kinds:
            return False
        places = [place for kind in kinds for place in self.at(kind)]
        if len(set(kinds)) > 1 and not all(map(self.at, kinds)):
            places = []
        if close:
            self.claims.append(any(_touch(a, b) for a in places for b in places if a != b))
        if line := say.SAME_LINE.search(sentence):
            axes = (0,) if line[1] == "row" else (1,) if line[1] == "column" else (0, 1)
            self.claims.append(len(places) > 1 and all(len({place[axis] for place in places}) == 1 for axis in axes))
        return True

    def _part(self, part: str, sentence: str) -> None:
        """One statement: so many of these, here."""
        where, rest = self.map.find(part)
        home = say.HOME.search(rest)
        rest = say.HOME.sub(" ", rest)
        verb = say.IS.search(rest)
        subject, told = (rest[: verb.start()], rest[verb.end() :]) if verb else ("", rest)
        one, other = self.codes_of(subject), self.codes_of(told)
        if one and other and one < other and (self._number(told) is not None or where is not None):
            other = one  # "black has four discs"
        elif one and other and one & other and verb and verb[0] in ("has", "have") and one & other != one:
            one = other = one & other  # "white has both bishops"
        if one is None and other is None:
            if where is not None and self.codes is not None and self._goes_on(part):
                self._count(self.codes, where, rest)
            elif where is not None:
                self.pending = where if self.pending is None else self.pending & where
            return
        if where is None and self.pending is not None:
            where, self.pending = self.pending, None
        elif where is None and say.SAME_PLACE.match(part):
            where = self.where
        elif where is not None and self.pending is not None and (other or one) is not None and " and " in sentence:
            rest, sentence = re.sub(r"\bboth\b", " ", rest), re.sub(r"\bboth\b", " ", sentence)
            self._count(other or one or frozenset(), self.pending, rest, sentence)  # "top left and bottom "
            "right are both X"
            self.pending = None
        elif where is None and not home and self._vague(rest, one or other or frozenset()):
            return
        if home:
            where = self._home(one or other or frozenset())
        if one and other and other < one and where is not None and say.NO.search(told):
            self._both(one, other, where, rest)  # "the disc on E5 is not white"
        elif one is not None and other is not None and one != other and not (one & other == other and not _both(rest)):
            both = one & other or other
            self._both(one, other if not one & other else both, where, rest)
        else:
            codes = (one or frozenset()) & (other or frozenset()) or one or other
            self._count(codes or frozenset(), where, rest, sentence)

    def _vague(self, rest: str, codes: frozenset[int]) -> bool:
        """Whether nothing is said that could be wrong: "the pieces are scattered"."""
        heard = {say.SAME.get(word, word) for word in say.WORD.findall(rest)} | {w[:-1] for w in say.WORD.findall(rest)}
        nouns = (heard & self.known) - {"black", "white", "red", "blue", "green"}
        named = bool(nouns) or (bool(heard & self.known) and bool(say.ANY.search(rest)))
        told = (
            self._number(rest) is not None or say.NO.search(rest) or say.EMPTY.search(rest) or say.FILLED.search(rest)
        )
        return not told and not _both(rest) and (codes == frozenset(self.words) - self.empty or not named)

    def _goes_on(self, part: str) -> bool:
        return bool(re.match(r"(?:one|two|both|it|they|all|none)\b|(?:not )?(?:in|on|at) ", part))

    def _home(self, codes: frozenset[int]) -> Cells:
        """The cells that chessmen start from."""
        cells = [(row, column) for row in (0, 1, 6, 7) for column in range(8)]
        start = {
            (row, column): (1 if row in (1, 6) else say.BACK_RANK[column]) * (1 if row > 4 else -1)
            for row, column in cells
        }
        return frozenset(cell for cell, code in start.items() if code in codes)

    def _both(self, subject: frozenset[int], told: frozenset[int], where: Cells | None, rest: str) -> None:
        """ "All discs in the top row are black"."""
        inside = set(self.at(subject, where))
        fine = {cell for cell in inside if self.cells[cell[0]][cell[1]] in told}
        if re.search(r"\b(?:all|every|each|both|only)\b", rest):
            self.claims.append(bool(inside) and inside == fine)
        elif say.NO.search(rest):
            self.claims.append(not fine and (bool(inside) or where is None))
        else:
            self.claims.append(bool(fine))
        self.codes, self.where = told, where

    def _count(self, codes: frozenset[int], where: Cells | None, rest: str, sentence: str = "") -> None:
        size = len(self.map.all) if where is None else len(where)
        inside = self.count(codes, where)
        told = self._number(rest)
        full = frozenset(self.words) - self.empty
        listed = where is not None and size > 1 and len(self.map.exact.findall(sentence)) == size
        if where is not None and re.search(r"\bthe only\b", rest):
            self.claims.append(inside == 1 == self.count(codes, None))
        elif listed and told in (None, size) and codes != self.empty and not say.NO.search(rest):
            self.claims.append(inside > 0 if re.search(r"\b(?:or|either)\b", sentence) else inside == size)
        elif (
            where is not None
            and size > 1
            and told is None
            and codes not in (self.empty, full)
            and (say.WHOLE.search(rest) or say.EVERY_CELL.search(sentence))
        ):
            self.claims.append(inside == size)
        elif codes == self.empty and told is None:
            self.claims.append(inside == 0 if say.NO.search(say.EMPTY.sub("", rest)) else inside == size)
        elif told is None and say.FILLED.search(rest) and (codes == full or (where and "filled with" in rest)):
            self.claims.append((inside == size) != bool(say.NO.search(rest)))
        elif say.NO.search(rest):
            self.claims.append(inside == 0)
        elif re.search(r"(?<!the )\bonly (?:a|an|one)?", rest) and len(where or ()) > 1 and told in (None, 1):
            full_there = self.count(full, where)
            self.claims.append(inside == full_there > 0 and told in (None, inside))
        elif re.search(r"\bonly\b", rest) and where is not None and told is None:
            self.claims.append(inside == 1 == self.count(codes, None))
        elif re.search(r"\b(?:all|every|each)\b", rest) and where is not None and told is None:
            self.claims.append(inside == self.count(codes, None) > 0)
        elif re.search(r"\bboth\b", rest) or (where is not None and re.search(r"\bboth\b", sentence) and size == 2):
            self.claims.append(inside == 2)
        elif told is not None:
            op = next((op for op, pattern in say.BOUNDS.items() if pattern.search(rest)), "")
            op = ">=" if told == 1 and re.search(r"\bone of\b", rest) else op
            self.claims.append(COMPARE[op](inside, told))
        else:
            self.claims.append(inside > 0)
        if codes != self.empty:
            self.codes, self.where = codes, where

    def _number(self, rest: str) -> int | None:
        for word in say.WORD.findall(rest):
            if (
                word in NUMBERS
                and word not in ("zero",)
                and not (word == "one" and re.search(r"\b(?:a|an|the) \w+ one\b", rest))
            ):
                return NUMBERS[word]
            if word.isdigit() and not self.digits:
                return number(word)
        counted = say.COUNTED.search(rest)
        return number(counted[0].strip()) if counted else None


def _both(rest: str) -> bool:
    return bool(re.search(r"\b(?:all|every|each|both)\b", rest))


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def judge(sentences: Sequence[str], record: Mapping[str, Any]) -> bool | None:
    """Whether what sentences say of a board is true; None if they say nothing that is understood."""
    reading = BoardReading(record)
    for sentence in sentences:
        reading.read(sentence)
    return all(reading.claims) if reading.claims else None
