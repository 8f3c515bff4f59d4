"""Clues about boards: what stands on which cells, how many of a kind there are, and what stands beside what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening.board_places import Cells, Map
from mmgames.games.spy.listening.vocabulary import NUMBERS, number

_WORD = re.compile(r"[a-z]+|\d+")
_EMPTY = re.compile(
    r"\b(?:empty|free|nothing(?: (?:stands|sits|is|lies|placed))*(?= on| at| in| there| here| yet|\s*$)|"
    r"blank|unoccupied|vacant|not (?:been )?(?:filled|"
    r"occupied|taken)"
    r"|unfilled|bare|open to take)\b"
)
_FILLED = re.compile(r"\b(?:filled|occupied|not empty|full|taken)\b")
_NO = re.compile(r"\b(?:no|not|none|without|never|no longer|nowhere|captured|gone|lost|missing|absent|lacks?|zero)\b")
_PLAIN = {"a", "an", "the", "with", "cell", "square", "point", "on", "of", "that", "is", "no", "it", "beside", "tile"}
_SAME = {
    "knights": "knight", "counters": "counter", "xs": "x", "os": "o", "cross": "x", "crosses": "x", "nought": "o",
    "noughts": "o", "circle": "o", "plate": "dish", "plates": "dish", "cook": "chef", "cooks": "chef",
    "hidden": "closed",
    "covered": "closed", "unopened": "closed", "opened": "open", "revealed": "open", "uncovered": "open",
    "bomb": "mine",
    "bombs": "mine", "dishes": "dish", "onions": "onion", "crates": "crate", "box": "crate", "horse": "knight",
    "castle": "rook", "number": "digit", "numbers": "digit", "digits": "digit", "cooking": "cooking", "guy": "player",
}  # fmt: skip
_ANY = re.compile(
    r"\b(?:pieces?|stones?|discs?|disks?|marks?|tokens?|men|man|anything|symbols?|digits?|numbers?|something|signs?|"
    r"entr(?:y|ies)|given)\b"
)
_MORE = re.compile(r"\b(more|fewer|less) (.+?) than (.+)|\b(.+?) (outnumbers?|has more .*?than|have more .*?than) (.+)")
_HAS_MORE = re.compile(r"\b(.+?) (?:has|have|holds?|owns?|with) (more|fewer) (.+?) than (.+)")
_MAJORITY = re.compile(r"\b(black|white|x|o)s?\b.*\b(?:majority|dominates?|ahead)\b")
_AS_MANY = re.compile(r"\bas many (.+?) as (.+)|\b(?:equal number|same number)s? of (.+?) and (.+)")
_RELATION = re.compile(
    r"^(.+?) (?:(?:is|are|stands?|sits?|lies|placed|positioned|located|to|on|at|one (?:cell|square|row|column|step)) )*"
    r"(?:(directly|right|immediately|just|exactly) )?(?:to the |on the )?"
    r"(left|right|above|below|under|beneath|over|beside|next to|adjacent to)(?: of)? (?:the |a |an )?(.+)$"
)
_TOGETHER = re.compile(r"\b(?:next to|beside|adjacent to) each other\b|\b(?:side by side|adjacent|neighbou?rs)\b")
_SAME_LINE = re.compile(r"\bsame (row|column|square|cell)\b")
_CLAUSE = re.compile(r"\s*(?:[,;:—–()]| and(?: also)? | but | while | whereas | versus | vs | against )\s*")
_IS = re.compile(r"\b(?:is|are|was|were|has|have|holds?|contains?|shows?|stands?|sits?|=)\b")
_HOME = re.compile(r"\b(?:home|starting|original|initial) (?:squares?|positions?|rows?|cells?|places?|ranks?)\b")
_COUNTED = re.compile(r"\b\d+ (?=(?:\w+ )?[a-rt-z]+s\b)")
_BACK_RANK = (4, 2, 3, 5, 6, 3, 2, 4)


@lru_cache(maxsize=64)
def _kinds(codes: tuple[tuple[str, str], ...]) -> tuple[dict[int, frozenset[str]], frozenset[int]]:
    """The words for what a cell may hold, and which codes are empty."""
    words, empty = {}, set()
    for code, name in codes:
        plain = name.lower().replace("with no mine beside it", "nomines")
        plain = plain.replace("both players", "player")
        words[int(code)] = frozenset(_SAME.get(w, w) for w in _WORD.findall(plain) if w not in _PLAIN)
        if _EMPTY.search(plain) and not re.search("pot|dish|counter", plain):
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
        heard = {_SAME.get(word, word) for word in _WORD.findall(_COUNTED.sub(" ", said))}
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
        if _EMPTY.search(said):
            return self.empty
        return full if _ANY.search(said) or _FILLED.search(said) else None

    def read(self, sentence: str) -> None:
        self.pending = None
        if re.search(
            r"\b(?:looks?|feels?|seems?)\b(?: \w+)? (?:a bit|a little|quite|rather|pretty|fairly|somewhat)\b", sentence
        ):
            return
        sentence = re.sub(r"\b(?:has|have) not moved\b|\bstill\b|\balready\b", " ", sentence)
        sentence = re.sub(r"\b(?:with )?no (?:adjacent |neighbou?ring )?mines?(?: beside| next to| near\w*| "
            r"around)?(?: it)?\b"
                          if re.search(r"\bopen", sentence) else r"$^", "nomines", sentence)  # fmt: skip
        sentence = re.sub(r"'s\b|\ball the (?:way|time)\b|\bin a (?:row|line)\b|\bfull of\b", " ", sentence)
        if self._line(sentence) or self._compared(sentence) or self._related(sentence):
            return
        for part in _CLAUSE.split(sentence):
            if part.strip():
                self._part(part.strip(), sentence)

    def _line(self, sentence: str) -> bool:
        """ "The middle row is O, X, O"; "the top row starts with 4 and 5"."""
        where, rest = self.map.find(sentence)
        if where is None or len(where) < 3:
            return False
        if not (starts := re.search(r"\b(?:starts|begins|opens) with\b", rest)) and rest.count(",") < 1:
            return False
        tail = rest[starts.end() :] if starts else rest.partition(":")[2] or rest.rpartition(" is ")[2]
        told = [self.codes_of(part) for part in _CLAUSE.split(tail) if part.strip()]
        row = [self.cells[r][c] for r, c in sorted(where)]
        if any(each is None for each in told) or len(told) < 2 or (not starts and len(told) != len(row)):
            return False
        self.claims.append(all(code in each for code, each in zip(row, told, strict=False) if each is not None))
        return True

    def _compared(self, sentence: str) -> bool:
        """ "White has more discs than black", "fewer white than black pieces"."""
        if found := _AS_MANY.search(sentence):
            one, other = found[1] or found[3], found[2] or found[4]
            return self._size(one, "as", other)
        if found := _HAS_MORE.search(sentence):
            return self._size(f"{found[1]} {found[3]}", found[2], f"{found[4]} {found[3]}")
        if found := _MORE.search(sentence):
            if found[1]:
                return self._size(found[2], found[1], found[3])
            return self._size(found[4], "more", found[6])
        if found := _MAJORITY.search(sentence):
            other = {"black": "white", "white": "black", "x": "o", "o": "x"}[found[1]]
            return self._size(found[1], "more", other)
        return False

    def _size(self, one: str, word: str, other: str) -> bool:
        a, b = self.codes_of(one), self.codes_of(other)
        if a is None or b is None or a == b:
            return False
        first, second = self.count(a, None), self.count(b, None)
        self.claims.append(first == second if word == "as" else first > second if word == "more" else first < second)
        return True

    def _related(self, sentence: str) -> bool:
        """ "The red player is directly above the coin"."""
        if (found := _TOGETHER.search(sentence)) or _SAME_LINE.search(sentence):
            return self._in_line(sentence, bool(found))
        found = _RELATION.search(sentence)
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
        codes = self.codes_of(_SAME_LINE.sub(" ", sentence))
        if codes is None or codes == self.empty:
            return False
        places = self.at(codes)
        if close:
            self.claims.append(any(_touch(a, b) for a in places for b in places if a != b))
        if line := _SAME_LINE.search(sentence):
            axes = (0,) if line[1] == "row" else (1,) if line[1] == "column" else (0, 1)
            self.claims.append(len(places) > 1 and all(len({place[axis] for place in places}) == 1 for axis in axes))
        return True

    def _part(self, part: str, sentence: str) -> None:
        """One statement: so many of these, here."""
        where, rest = self.map.find(part)
        home = _HOME.search(rest)
        rest = _HOME.sub(" ", rest)
        verb = _IS.search(rest)
        subject, told = (rest[: verb.start()], rest[verb.end() :]) if verb else ("", rest)
        one, other = self.codes_of(subject), self.codes_of(told)
        if one is not None and other is not None and one < other and self._number(told) is not None:
            other = one  # "black has four discs"
        if one is None and other is None:
            if where is not None and self.codes is not None and self._goes_on(part):
                self._count(self.codes, where, rest)
            elif where is not None:
                self.pending = where if self.pending is None else self.pending & where
            return
        if where is None and self.pending is not None:
            where, self.pending = self.pending, None
        elif where is None and re.match(r"(?:(?:a|an|the) (?:single )?\w+(?: one)?|both .*|all .*)$", part):
            where = self.where
        elif where is None and not home and self._vague(rest, one or other or frozenset()):
            return
        if home:
            where = self._home(one or other or frozenset())
        if one is not None and other is not None and one != other and not (one & other == other and not _both(rest)):
            both = one & other or other
            self._both(one, other if not one & other else both, where, rest)
        else:
            codes = (one or frozenset()) & (other or frozenset()) or one or other
            self._count(codes or frozenset(), where, rest, sentence)

    def _vague(self, rest: str, codes: frozenset[int]) -> bool:
        """Whether nothing is said that could be wrong: "the pieces are scattered"."""
        heard = {_SAME.get(word, word) for word in _WORD.findall(rest)} | {w[:-1] for w in _WORD.findall(rest)}
        nouns = (heard & self.known) - {"black", "white", "red", "blue", "green"}
        named = bool(nouns) or (bool(heard & self.known) and bool(_ANY.search(rest)))
        told = self._number(rest) is not None or _NO.search(rest) or _EMPTY.search(rest) or _FILLED.search(rest)
        return not told and not _both(rest) and (codes == frozenset(self.words) - self.empty or not named)

    def _goes_on(self, part: str) -> bool:
        return bool(re.match(r"(?:one|two|both|it|they|all|none)\b|(?:in|on|at) ", part))

    def _home(self, codes: frozenset[int]) -> Cells:
        """The cells that chessmen start from."""
        cells = [(row, column) for row in (0, 1, 6, 7) for column in range(8)]
        start = {
            (row, column): (1 if row in (1, 6) else _BACK_RANK[column]) * (1 if row > 4 else -1)
            for row, column in cells
        }
        return frozenset(cell for cell, code in start.items() if code in codes)

    def _both(self, subject: frozenset[int], told: frozenset[int], where: Cells | None, rest: str) -> None:
        """ "All discs in the top row are black"."""
        inside = set(self.at(subject, where))
        fine = {cell for cell in inside if self.cells[cell[0]][cell[1]] in told}
        if re.search(r"\b(?:all|every|each|both|only)\b", rest):
            self.claims.append(bool(inside) and inside == fine)
        elif _NO.search(rest):
            self.claims.append(not fine)
        else:
            self.claims.append(bool(fine))
        self.codes, self.where = told, where

    def _count(self, codes: frozenset[int], where: Cells | None, rest: str, sentence: str = "") -> None:
        size = len(self.map.all) if where is None else len(where)
        inside = self.count(codes, where)
        told = self._number(rest)
        full = frozenset(self.words) - self.empty
        if codes == self.empty and told is None:
            self.claims.append(inside == 0 if _NO.search(_EMPTY.sub("", rest)) else inside == size)
        elif told is None and _FILLED.search(rest) and (codes == full or (where and "filled with" in rest)):
            self.claims.append(inside == size)
        elif _NO.search(rest):
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
            op = ">=" if re.search(r"\bat least\b|\bor more\b", rest) else "=="
            one = told == 1 and re.search(r"\bone of\b", rest)
            self.claims.append(inside >= told if op == ">=" or one else inside == told)
        else:
            self.claims.append(inside > 0)
        if codes != self.empty:
            self.codes, self.where = codes, where

    def _number(self, rest: str) -> int | None:
        for word in _WORD.findall(rest):
            if (
                word in NUMBERS
                and word not in ("zero",)
                and not (word == "one" and re.search(r"\b(?:a|an|the) \w+ one\b", rest))
            ):
                return NUMBERS[word]
            if word.isdigit() and not self.digits:
                return number(word)
        counted = _COUNTED.search(rest)
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
