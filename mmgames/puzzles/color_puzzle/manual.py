"""Manuals of the colour board: which group of squares comes first, and a table for all the others."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import standard
from mmgames.text import prose

SIDE = 4
COLOURS = ("red", "blue", "green", "yellow", "magenta")
WHITE = "white"
ROW, COLUMN = "row", "column"
GROUPS = (*COLOURS, ROW, COLUMN)
LINES_ONLY = 12  # from so many white squares on the table names no colours

Squares = tuple[str, ...]
"""The sixteen squares, row by row from the top left."""


class Manual(NamedTuple):
    """`first` is "fewest" or "most"; `ties` says which colour wins a tie; the table's rows go by the number of white
    squares, from 1, its columns by the previous group, in the order of GROUPS."""

    first: str
    ties: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]


STANDARD: Manual = standard(Manual, __package__)


def shuffled(rng: np.random.Generator) -> Manual:
    """Another manual: rows that name every group once, and row or column alone where the standard one does so."""
    first = ("fewest", "most")[int(rng.integers(2))]
    ties = tuple(COLOURS[i] for i in rng.permutation(len(COLOURS)))
    return Manual(first, ties, tuple(shuffled_row(white, rng) for white in range(1, SIDE * SIDE)))


def shuffled_row(white: int, rng: np.random.Generator) -> tuple[str, ...]:
    if white >= LINES_ONLY:
        return tuple((ROW, COLUMN)[i] for i in rng.integers(2, size=len(GROUPS)))
    return tuple(GROUPS[i] for i in rng.permutation(len(GROUPS)))


def first_group(manual: Manual, squares: Squares) -> str:
    """The colour to begin with, of those that there are."""
    counts = {colour: squares.count(colour) for colour in manual.ties if colour in squares}
    wanted = min(counts.values()) if manual.first == "fewest" else max(counts.values())
    return next(colour for colour, count in counts.items() if count == wanted)


def next_group(manual: Manual, white: int, previous: str) -> str:
    return manual.table[white - 1][GROUPS.index(previous)]


def right_group(manual: Manual, squares: Squares, previous: str | None) -> str:
    """The group to click now."""
    if previous is None:
        return first_group(manual, squares)
    return next_group(manual, squares.count(WHITE), previous)


def members(squares: Squares, group: str) -> frozenset[int]:
    """The squares of a group. A row is the topmost, a column the leftmost that is not all white."""
    coloured = [at for at, colour in enumerate(squares) if colour != WHITE]
    if group == ROW:
        top = coloured[0] // SIDE
        return frozenset(at for at in coloured if at // SIDE == top)
    if group == COLUMN:
        left = min(at % SIDE for at in coloured)
        return frozenset(at for at in coloured if at % SIDE == left)
    return frozenset(at for at in coloured if squares[at] == group)


def whiten(squares: Squares, group: frozenset[int]) -> Squares:
    return tuple(WHITE if at in group else colour for at, colour in enumerate(squares))


INTRODUCTION = prose.paragraphs(__package__, "words")["introduction"]
_FIRST = "First click the colour with the {first} squares. In a tie, the first of these: {ties}."
_THEN = prose.paragraphs(__package__, "words")["then"]


def opening(manual: Manual) -> str:
    return _FIRST.format(first=manual.first, ties=", ".join(manual.ties))


def paragraphs(manual: Manual) -> tuple[str, str, str]:
    return INTRODUCTION, opening(manual), _THEN


def label(group: str) -> str:
    return group.upper() if group in (ROW, COLUMN) else group


@lru_cache(maxsize=64)
def text(manual: Manual) -> str:
    head = "White | " + " | ".join(f"after {label(group)}" for group in GROUPS)
    rows = (f"{white} | " + " | ".join(map(label, row)) for white, row in enumerate(manual.table, 1))
    return "\n".join(["\n\n".join(paragraphs(manual)), "", head, *rows])
