"""Clues about boards: what stands on which cells, and how many of a kind there are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening.vocabulary import NUMBER, NUMBERS, ORDINALS, number

Cells = frozenset[tuple[int, int]]
_SPLIT = re.compile(
    r",? (?:and|while|but) (?=(?:nothing|no|a|an|there|[a-z]\d|the|black|white|red|blue|is|"
    r"still|one|two|three|four|five|\d) ?)|, (?=and )"
)
_EMPTY = re.compile(r"\b(?:empty|free|nothing(?= on| at| there| here| yet|$)|blank|unoccupied|vacant)\b")
_FILLED = re.compile(r"\b(?:filled|occupied|not empty)\b")
_NO = re.compile(r"\b(?:no|not|none|without|never|no longer)\b")
_MORE = re.compile(r"\b(.+?) (?:has|have|holds?|owns?) (more|fewer) (.+?) (?:on the board )?than (.+)")
_MAJORITY = re.compile(r"\b(black|white)\b.*\b(majority|outnumber)")
_BESIDE = re.compile(r"\b(.+?) (?:to the |on the )?(left|right|above|below)(?: of)? (the .+)")
_SAME_ROW = re.compile(r"\bboth (.+?) (?:are|is|stand).* same (row|column)")
_WORD = re.compile(r"[a-z]+|\d+")
_PLAIN = {"a", "an", "the", "with", "cell", "square", "point", "on", "of", "that", "is", "no", "it", "beside", "tile"}
_SAME = {"knights": "knight", "counters": "counter", "piece": "", "xs": "x", "os": "o"}


@lru_cache(maxsize=64)
def _kinds(codes: tuple[tuple[str, str], ...]) -> tuple[dict[int, frozenset[str]], frozenset[int]]:
    """The words for what a cell may hold, and which codes are empty."""
    words = {
        int(code): frozenset(word for word in _WORD.findall(name.lower()) if word not in _PLAIN) for code, name in codes
    }
    empty = frozenset(
        int(code) for code, name in codes if _EMPTY.search(name) and not re.search("pot|dish|counter", name)
    )
    return words, empty


def _codes(said: str, record: Mapping[str, Any]) -> frozenset[int] | None:
    """The codes whose names a text mentions most words of; None if it mentions none."""
    words, empty = _kinds(tuple(record["codes"].items()))
    if _FILLED.search(said):
        return frozenset(words) - empty
    heard = {_SAME.get(word, word) for word in _WORD.findall(said)}
    heard |= {word.removesuffix("s") for word in heard if len(word) > 3}
    heard |= {word + "s" for word in heard if len(word) > 3}
    if re.search(r"\bdigits?\b", said) and not re.search(r"\b\d\b", re.sub(r"\b[a-z]\d\b|(?:row|column) \d", "", said)):
        return frozenset(words) - empty
    scores = {code: len(heard & kind) for code, kind in words.items() if code not in empty}
    most = max(scores.values(), default=0)
    if not most:
        return empty if _EMPTY.search(said) else None
    return frozenset(code for code, score in scores.items() if score == most)


def _region(
    said: str, cells: Sequence[Sequence[int]], names: Mapping[str, tuple[int, int]]
) -> tuple[Cells | None, str]:
    """The cells that a text speaks of, and the text without the words that say so."""
    high, wide = len(cells), len(cells[0])
    everything = [(row, column) for row in range(high) for column in range(wide)]
    tests: list[Any] = []

    def take(pattern: str, make: Any) -> None:
        nonlocal said
        if found := re.search(pattern, said):
            test = make(found)
            if test is not None:
                tests.append(test)
                said = said[: found.start()] + " " + said[found.end() :]

    def line(axis: int, place: int | None) -> Any:
        return None if place is None else lambda cell: cell[axis] == place

    def letter(found: Any) -> Any:
        rows = {name[0]: place[0] for name, place in names.items() if name[0].isalpha() and len(name) < 4}
        by_row = names.get(f"{found[1]}1", (0, 0))[0] == names.get(f"{found[1]}2", (1, 0))[0]
        return line(0, rows.get(found[1])) if by_row and found[1] in rows else None

    exact = "|".join(sorted((re.escape(name) for name in names), key=len, reverse=True))
    take(rf"(?<!\w)({exact})(?!\w)", lambda found: lambda cell: cell == names[found[1]])
    take(r"\brow ([a-o])\b", letter)
    take(r"\bcolumn (\d+)\b", lambda found: line(1, int(found[1]) - 1))
    take(r"\brow (\d+)\b", lambda found: line(0, int(found[1]) - 1))
    take(
        r"\b(?:middle|centre|center) of the (top|bottom) row\b",
        lambda f: lambda cell: cell == (0 if f[1] == "top" else high - 1, wide // 2),
    )
    nth = "|".join(ORDINALS)
    take(
        rf"\b({nth}) row(?: from (?:the )?(top|bottom))?",
        lambda f: line(0, ORDINALS[f[1]] - 1 if f[2] != "bottom" else high - ORDINALS[f[1]]),
    )
    take(
        rf"\b({nth}) column(?: from (?:the )?(left|right))?",
        lambda f: line(1, ORDINALS[f[1]] - 1 if f[2] != "right" else wide - ORDINALS[f[1]]),
    )
    take(
        r"\b(top|bottom|upper|lower)[ -]+(left|right)\b(?: corner)?",
        lambda f: lambda cell: cell == (0 if f[1] in ("top", "upper") else high - 1, 0 if f[2] == "left" else wide - 1),
    )
    take(r"\bbottom corners\b", lambda f: lambda cell: cell[0] == high - 1 and cell[1] in (0, wide - 1))
    take(r"\btop corners\b", lambda f: lambda cell: cell[0] == 0 and cell[1] in (0, wide - 1))
    take(r"\bcorners?\b", lambda f: lambda cell: cell[0] in (0, high - 1) and cell[1] in (0, wide - 1))
    take(r"\b(top|bottom) (?:row|edge|line)\b", lambda f: line(0, 0 if f[1] == "top" else high - 1))
    take(r"\b(?:middle|centre|center) row\b", lambda f: line(0, high // 2))
    take(r"\b(?:middle|centre|center) column\b", lambda f: line(1, wide // 2))
    take(r"\b(left|right)(?:most)? (?:column|edge|side)\b", lambda f: line(1, 0 if f[1] == "left" else wide - 1))
    take(
        r"\b(?:centre|center|middle)\b",
        lambda f: (
            lambda cell: (
                cell == (high // 2, wide // 2)
                or (high % 2 == 0 and abs(cell[0] - high / 2 + 0.5) < 1 and abs(cell[1] - wide / 2 + 0.5) < 1)
            )
        ),
    )
    if not tests:
        return None, said
    return frozenset(cell for cell in everything if all(test(cell) for test in tests)), said


def judge(sentences: Sequence[str], record: Mapping[str, Any]) -> bool | None:
    """Whether what sentences say of a board is true; None if they say nothing that is understood."""
    claims = [
        claim
        for sentence in sentences
        for part in _SPLIT.split(sentence)
        if (claim := _claim(part, record)) is not None
    ]
    return all(claims) if claims else None


@lru_cache(maxsize=64)
def _names(game: str, high: int, wide: int) -> dict[str, tuple[int, int]]:
    from mmgames.tasks.positions import board

    places = board(game).places(high, wide)
    return {places[row][column].lower(): (row, column) for row in range(high) for column in range(wide)}


def _claim(said: str, record: Mapping[str, Any]) -> bool | None:
    cells = record["cells"]
    names = _names(record["game"], len(cells), len(cells[0]))

    def count(codes: frozenset[int], where: Cells | None) -> int:
        return sum(
            code in codes and (where is None or (row, column) in where)
            for row, line in enumerate(cells)
            for column, code in enumerate(line)
        )

    if found := _MORE.search(said):
        one, other = _codes(f"{found[1]} {found[3]}", record), _codes(f"{found[4]} {found[3]}", record)
        if one is None or other is None:
            return None
        a, b = count(one, None), count(other, None)
        return a > b if found[2] == "more" else a < b
    if found := _MAJORITY.search(said):
        one, other = _codes(found[1], record), _codes("white" if found[1] == "black" else "black", record)
        return None if one is None or other is None else count(one, None) > count(other, None)
    if (found := _BESIDE.search(said)) and (one := _codes(found[1], record)) and (other := _codes(found[3], record)):
        places = [[place for place in names.values() if cells[place[0]][place[1]] in codes] for codes in (one, other)]
        axis, sign = {"left": (1, -1), "right": (1, 1), "above": (0, -1), "below": (0, 1)}[found[2]]
        return any((a[axis] - b[axis]) * sign > 0 for a in places[0] for b in places[1])
    if (found := _SAME_ROW.search(said)) and (one := _codes(found[1], record)):
        axis = 0 if found[2] == "row" else 1
        rows = [place[axis] for place in names.values() if cells[place[0]][place[1]] in one]
        return len(rows) > 1 and len(set(rows)) == 1
    where, rest = _region(said, cells, names)
    codes = _codes(rest, record)
    _, empty = _kinds(tuple(record["codes"].items()))
    if codes is None:
        return None
    size = len(where) if where is not None else sum(len(line) for line in cells)
    if codes == empty:
        inside = count(empty, where)
        return inside == size if where is None or size > 1 else inside == 1
    found_number = re.search(rf"\b({NUMBER})\b(?! (?:and|column|row))", re.sub(r"\bthe (?:number|digit) \d", "", rest))
    inside = count(codes, where)
    if _NO.search(rest):
        return inside == 0
    if re.search(r"\bboth\b", said):
        return inside == 2
    if found_number and not (record["game"].startswith("mmgames/Sudoku") and found_number[1].isdigit()):
        told = NUMBERS.get(found_number[1], number(found_number[1]))
        return inside == told
    return inside > 0
