"""TicTacToe: kernel.py has the rules; the view is the board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.tic_tac_toe import kernel as k
from mmgames.games.tic_tac_toe.kernel import CELLS, KERNEL, LINES, ROWS, SIDE
from mmgames.kernels.kernel_game import NOBODY, KernelGame, RowState

EMPTY, NOUGHT, CROSS = -1, 0, 1
MARK_OF_SEAT = (CROSS, NOUGHT)


class TicTacToeView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: tuple[int, ...]  # EMPTY, NOUGHT or CROSS; row by row from the top left
    mover: Seat | None  # None when the game is over
    last: int | None = None  # the cell of the last move
    marks: tuple[int, int] = MARK_OF_SEAT  # of the first and of the second seat


def cells(view: TicTacToeView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board: -1 for an empty cell, 0 for O, 1 for X."""
    return tuple(view.cells[row[0] : row[0] + SIDE] for row in ROWS)


def full_lines(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The lines that hold three equal marks; one move can complete two."""
    return [line for line in LINES if cells[line[0]] != EMPTY and len({cells[cell] for cell in line}) == 1]


@lru_cache(maxsize=64)
def legal_moves(cells: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    """The empty cells of any board, in order."""
    return KERNEL.legal(row_of(cells, seat), seat)


def row_of(cells: tuple[int, ...], mover: Seat | None, marks: tuple[int, int] = MARK_OF_SEAT) -> np.ndarray:
    """Any board as the kernels read it; `marks` are those of the first and of the second seat."""
    row = KERNEL.empty_row()
    row[k.TURN] = NOBODY if mover is None else mover
    row[k.LAST] = k.NOWHERE
    for side, mark in enumerate(marks):
        row[k.FIRST + side] = sum([1 << cell for cell, held in enumerate(cells) if held == mark])
    return row


class TicTacToe(KernelGame[TicTacToeView]):
    kernel = KERNEL

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.marks = MARK_OF_SEAT
        if self.options["begins"] == "o":
            self.marks = (NOUGHT, CROSS)
            self.settle(seats=("o", "x"))

    def view(self, state: RowState, seat: Seat | None) -> TicTacToeView:
        mover, _, at, first, second = state.row.tolist()
        one, two = self.marks
        cells = [one if first >> cell & 1 else two if second >> cell & 1 else EMPTY for cell in range(CELLS)]
        last = None if at == k.NOWHERE else at
        return TicTacToeView(seat, tuple(cells), None if mover == NOBODY else mover, last, self.marks)
