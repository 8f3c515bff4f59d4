"""Sudoku: a move writes a digit that clashes with nothing; the grid is won when it is full."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import compiled_in_background, switch_to_compiled
from mmgames.kernels.kernel import kernel

SIDE = 9
CELLS = SIDE * SIDE
EMPTY = 0
NUM_ACTIONS = CELLS * SIDE

CLUES = {"any": (27, 41), "easy": (37, 41), "medium": (32, 36), "hard": (27, 31)}
POSSIBLE_CLUES = (0, *range(24, CELLS))  # the generator finds 24 in a moment; fewer take it ever longer

ROWS = tuple(tuple(range(first, first + SIDE)) for first in range(0, CELLS, SIDE))
COLUMNS = tuple(zip(*ROWS, strict=True))
BOXES = tuple(
    tuple((top + down) * SIDE + left + right for down in range(3) for right in range(3))
    for top in (0, 3, 6)
    for left in (0, 3, 6)
)

Grid = tuple[int, ...]  # 81 digits row by row from the top left, 0 for an empty cell


class SudokuState(NamedTuple):
    puzzle: Grid  # what is printed
    solution: Grid
    cells: Grid
    last: int | None = None  # the cell of the last move


class SudokuView(NamedTuple):
    """The grid as anybody sees it. It need not be a proper puzzle: questions about grids make their own."""

    seat: Seat | None
    cells: Grid
    puzzle: Grid  # what of it is printed; the rest was entered
    mover: Seat | None  # None when the game is over
    last: int | None = None


def cells(view: SudokuView) -> tuple[Grid, ...]:
    """The rows of the grid: digits, 0 for an empty cell."""
    return tuple(view.cells[first : first + SIDE] for first in range(0, CELLS, SIDE))


@lru_cache(maxsize=4096)
def legal_moves(grid: Grid) -> tuple[int, ...]:
    """Every digit that fits into an empty cell of any grid, as actions."""
    found = np.empty(NUM_ACTIONS, np.int64)
    return tuple(found[: compiled_in_background(fitting)(np.frombuffer(bytes(grid), np.uint8), found)].tolist())


@kernel
def fitting(grid, out):
    """Writes the actions, cell by cell, and says how many there are."""
    rows, columns, boxes = np.zeros(SIDE, np.int64), np.zeros(SIDE, np.int64), np.zeros(SIDE, np.int64)
    for cell in range(CELLS):
        bit = 1 << int(grid[cell])  # that of empty cells is never asked for
        rows[cell // SIDE] |= bit
        columns[cell % SIDE] |= bit
        boxes[cell // 27 * 3 + cell % SIDE // 3] |= bit
    number = 0
    for cell in range(CELLS):
        if grid[cell] == EMPTY:
            taken = rows[cell // SIDE] | columns[cell % SIDE] | boxes[cell // 27 * 3 + cell % SIDE // 3]
            for digit in range(SIDE):
                if not taken >> (digit + 1) & 1:
                    out[number] = cell * SIDE + digit
                    number += 1
    return number


def blocked(grid: Grid) -> tuple[int, ...]:
    """The empty cells that no digit fits."""
    open_cells = {move // SIDE for move in legal_moves(grid)}
    return tuple(cell for cell in range(CELLS) if grid[cell] == EMPTY and cell not in open_cells)


def make_puzzle(rng: np.random.Generator, fewest: int, most: int) -> tuple[Grid, Grid]:
    """A puzzle with so many clues, and its only solution; questions about boards make theirs here, too."""
    from mmgames.games.sudoku.generator import generate  # it brings the compiler

    return generate(rng, fewest, most)


class Sudoku(Game[SudokuState, SudokuView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        if (asked := options.get("clues", 0)) not in POSSIBLE_CLUES:
            raise MmgamesError(
                f"{spec.id}: clues={asked!r} is not possible; give {POSSIBLE_CLUES[1]} to {POSSIBLE_CLUES[-1]}, "
                "or 0 for as many as the difficulty says."
            )
        super().__init__(spec, **options)
        asked, difficulty = self.options["clues"], self.options["difficulty"]
        fewest, most = CLUES[difficulty]
        if asked and difficulty != "any" and not fewest <= asked <= most:
            raise MmgamesError(
                f"{spec.id}: clues={asked} contradicts difficulty={difficulty!r}, which has {fewest} to {most}; "
                "give one of the two."
            )
        self.clues = (asked, asked) if asked else (fewest, most)

    @property
    def num_actions(self) -> int:
        return NUM_ACTIONS

    def start(self, rng: np.random.Generator) -> SudokuState:
        switch_to_compiled()
        puzzle, solution = make_puzzle(rng, *self.clues)
        return SudokuState(puzzle, solution, puzzle)

    def movers(self, state: SudokuState) -> tuple[Seat, ...]:
        return (0,) if legal_moves(state.cells) else ()

    def legal(self, state: SudokuState, seat: Seat) -> Sequence[int]:
        return legal_moves(state.cells)

    def play(self, state: SudokuState, actions: Mapping[Seat, int], rng: np.random.Generator) -> SudokuState:
        cell, digit = divmod(actions[0], SIDE)
        return state._replace(cells=(*state.cells[:cell], digit + 1, *state.cells[cell + 1 :]), last=cell)

    def returns(self, state: SudokuState) -> Sequence[float]:
        return (0.0 if EMPTY in state.cells else 1.0,)

    def view(self, state: SudokuState, seat: Seat | None) -> SudokuView:
        return SudokuView(seat, state.cells, state.puzzle, 0 if self.movers(state) else None, state.last)

    def events(self, state: SudokuState) -> Mapping[str, int]:
        entered = [cell for cell in range(CELLS) if state.cells[cell] != state.puzzle[cell]]
        wrong = sum(state.cells[cell] != state.solution[cell] for cell in entered)
        return {"entered": len(entered), "wrong": wrong}
