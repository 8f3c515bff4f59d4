"""A game's board as questions see it: its codes, the names of its cells and lines, and how its positions are made.

A game takes part with `cells(view)` in its rules, `CODES` in its words (code -> what stands there, with an article)
and a `PositionSource` in positions.py. Words whose pictures do not label the cells say in `COORDINATES` how they are
named.
"""

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from mmgames.core import registry
from mmgames.core.look_names import USUAL
from mmgames.core.registry import LoadedGame
from mmgames.errors import MmgamesError, unknown
from mmgames.text.facts import Count, Fact, same

Matrix = tuple[tuple[int, ...], ...]
Rules = Literal["paper", "released"]
RULES = ("paper", "released")
CELLS = -1
_EMPTY = ("empty", "free", "vacant", "unoccupied")


@dataclass(frozen=True)
class BoardPosition:
    """A view to ask about, and what else is known of it."""

    view: Any
    facts: Mapping[str, Any] = field(default_factory=dict)


Maker = Callable[["QuestionBoard", np.random.Generator, Rules, str | None], BoardPosition]


@dataclass(frozen=True)
class PositionSource:
    """How one game's positions are made."""

    game: str
    show: Maker  # a position to be transcribed and asked about
    rule: Maker  # a position with a legal move
    bands: tuple[str, ...] = ()  # kinds of positions that can be asked for
    lines: tuple[str, str] = ("row {}", "column {}")  # what the lines of the board are called
    signs: str = ""  # the view writes codes 0, 1, … as these letters, where it has letters
    option: str = ""  # the option of the game that a band sets
    moves: int | None = None  # so many of the first actions are moves on the board; CELLS: one for each; None: all
    called: str = "board"  # what questions call the board
    played_when_released: bool = False  # the released rules play to their positions, which have no bands then


class QuestionBoard:
    """A game with the alphabet and the names of its board."""

    def __init__(self, boards: PositionSource, band: str | None = None, look: str = USUAL) -> None:
        self.boards = boards
        usual = registry.load(boards.game)
        if band is not None and band not in boards.bands:
            raise unknown("band", band, f"the tasks of {boards.game}", boards.bands)
        self.game = usual.game(look=look, **({boards.option: band} if boards.option and band else {}))
        self.loaded: LoadedGame = usual.shown(self.game)
        self.rules = importlib.import_module(f"{self.loaded.spec.package}.rules")  # with all that its positions need
        self.words, self.vocabulary = self.loaded.words, self.loaded.words.module
        self.codes: Mapping[int, str] = self.vocabulary.CODES
        self.coordinates: str = getattr(self.vocabulary, "COORDINATES", "")
        self.colours: str = getattr(self.vocabulary, "COLOURS", "")
        self._places: dict[tuple[int, int], tuple[tuple[str, ...], ...]] = {}
        self._lines: dict[tuple[int, int], tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def cells(self, view: Any) -> Matrix:
        return self.rules.cells(view)

    def show(self, rng: np.random.Generator, rules: Rules = "paper", band: str | None = None) -> BoardPosition:
        return self.boards.show(self, rng, rules, band)

    def rule(self, rng: np.random.Generator, rules: Rules = "paper", band: str | None = None) -> BoardPosition:
        return self.boards.rule(self, rng, rules, band)

    def check(self, task: str, rules: str, band: str | None) -> None:
        if rules not in RULES:
            raise unknown("rules", rules, task, RULES)
        if rules == "released" and band is not None and self.boards.played_when_released:
            raise MmgamesError(f'{task}: rules="released" plays its positions; band= is for those of rules="paper".')

    def places(self, height: int, width: int) -> tuple[tuple[str, ...], ...]:
        """The names of the cells, row by row."""
        vocabulary = self.vocabulary
        if (height, width) in self._places:
            return self._places[height, width]
        names = vocabulary.places(width) if hasattr(vocabulary, "places") else vocabulary.PLACES
        found = self._places[height, width] = tuple(
            tuple(names[first : first + width]) for first in range(0, height * width, width)
        )
        return found

    def line_names(self, height: int, width: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the rows and the columns are called: the part of the cells' names that they share."""
        if (height, width) in self._lines:
            return self._lines[height, width]
        parts = [[re.findall(r"[A-Za-z]+|\d+", name) for name in row] for row in self.places(height, width)]
        row_part = 0 if parts[0][0][0] == parts[0][1][0] else 1
        row, column = self.boards.lines
        rows = tuple(row.format(line[0][row_part]) for line in parts)
        found = self._lines[height, width] = rows, tuple(column.format(cell[1 - row_part]) for cell in parts[0])
        return found

    def facts(self, view: Any) -> list[Fact | Count]:
        """What stands where on a board, and how many of each kind."""
        matrix = self.cells(view)
        bare = {code: name.split(maxsplit=1)[-1] for code, name in self.codes.items()}
        empty = bare[next(iter(bare))]  # CODES begin with the empty cell
        values = same(bare.values()) | dict.fromkeys(_EMPTY if empty.startswith("empty") else (), empty)
        colours = {name: name.split() for name in bare.values() if name != empty}
        if len({tuple(words[1:]) for words in colours.values()}) == 1:  # all of one kind, which need not be named
            values |= {words[0]: name for name, words in colours.items()}
        places = self.places(len(matrix), len(matrix[0]))
        found: list[Fact | Count] = [
            Fact((place.casefold(),), bare[code], values)
            for names, row in zip(places, matrix, strict=True)
            for place, code in zip(names, row, strict=True)
        ]
        flat = [code for row in matrix for code in row]
        return found + [Count(f"{name}s", flat.count(code)) for code, name in bare.items() if len(name) > 1]

    def view(self, matrix: Matrix | np.ndarray, **facts: Any) -> Any:
        """The first seat's view of a board with these codes, its own move."""
        view_class = self._view_class
        flat: Any = np.asarray(matrix).ravel().tolist()
        flat = "".join(map(self.boards.signs.__getitem__, flat)) if self.boards.signs else tuple(flat)
        return view_class(**{"seat": 0, "cells": flat, "mover": 0, **facts})

    @cached_property
    def _view_class(self) -> Any:
        return getattr(self.rules, f"{self.loaded.spec.rules_class}View")

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board at the start."""
        rows = self.cells(self.game.view(self.game.start(np.random.default_rng(0)), 0))
        return len(rows), len(rows[0])

    @property
    def view_fields(self) -> tuple[str, ...]:
        return self._view_class._fields

    def legal(self, view: Any) -> dict[int, str]:
        return self.words.names(view)

    @cached_property
    def num_moves(self) -> int:
        if self.boards.moves == CELLS:
            return self.shape[0] * self.shape[1]
        return self.boards.moves or self.game.num_actions
