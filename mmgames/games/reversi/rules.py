"""Reversi: kernel.py has the rules; the view is the board."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.reversi import kernel as k
from mmgames.games.reversi.kernel import CELLS, KERNEL, SIDE
from mmgames.kernels.bitboard import BLACK, WHITE, cells_of, sides_of
from mmgames.kernels.kernel_game import NOBODY, KernelGame, RowState

DISC_OF_SEAT = (BLACK, WHITE)


class ReversiView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 64 of EMPTY, BLACK and WHITE, row by row from A1 at the top left to H8
    mover: Seat | None  # None when the game is over
    number: int = 0  # moves made so far, passes among them
    last: int | None = None  # the last move: a cell or PASS

    @property
    def winner(self) -> Seat | None:
        """Who has more discs; None when both have as many."""
        lead = self.cells.count(BLACK) - self.cells.count(WHITE)
        return None if lead == 0 else int(lead < 0)


def cells(view: ReversiView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board from the top: 0 for an empty cell, 1 for a black disc, 2 for a white one."""
    codes = ["bw".find(disc) + 1 for disc in view.cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


@lru_cache(maxsize=64)
def legal_moves(cells: str, seat: Seat) -> tuple[int, ...]:
    """The moves of a seat on any board, in order; only PASS where it can enclose nothing."""
    return KERNEL.legal(row_of(cells, seat), seat)


def row_of(cells: str, mover: Seat | None) -> np.ndarray:
    """Any board as the kernels read it."""
    row = KERNEL.empty_row()
    row[k.TURN] = NOBODY if mover is None else mover
    row[k.LAST] = k.NOTHING
    row[k.BLACK :] = sides_of(cells)
    return row


class Reversi(KernelGame[ReversiView]):
    kernel = KERNEL

    def view(self, state: RowState, seat: Seat | None) -> ReversiView:
        mover, _, number, last = state.row[: k.BLACK].tolist()
        cells = cells_of(state.row[k.BLACK :])
        return ReversiView(seat, cells, None if mover == NOBODY else mover, number, None if last == k.NOTHING else last)
