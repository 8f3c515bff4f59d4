"""Breakthrough: kernel.py has the rules; the view is the board."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.breakthrough import kernel as k
from mmgames.games.breakthrough.kernel import CELLS, KERNEL, NUM_WAYS, SIDE, WAYS
from mmgames.kernels.bitboard import BLACK, EMPTY, WHITE, cells_of, sides_of
from mmgames.kernels.kernel_game import NOBODY, KernelGame, RowState

PIECE_OF_SEAT = (BLACK, WHITE)


class BreakthroughView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 64 of EMPTY, BLACK and WHITE, row by row from a8 at the top left to h1
    mover: Seat | None  # None when the game is over
    number: int = 0  # moves made so far
    last: int | None = None  # the last move

    @property
    def winner(self) -> Seat | None:
        """Who stands on the far row or has taken everything."""
        if BLACK in self.cells[-SIDE:] or WHITE not in self.cells:
            return 0
        return 1 if WHITE in self.cells[:SIDE] or BLACK not in self.cells else None


def cells(view: BreakthroughView) -> tuple[tuple[int, ...], ...]:
    """The ranks from 8 to 1, each from file a to h: 0 for an empty square, 1 for a black piece, 2 for a white one."""
    codes = [(EMPTY, BLACK, WHITE).index(piece) for piece in view.cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


def ends(action: int) -> tuple[int, int]:
    """The cells a move leads from and to."""
    source, way = divmod(action // 2, NUM_WAYS)
    down, right = WAYS[way]
    return source, source + down * SIDE + right


def captures(action: int) -> bool:
    return action % 2 == 1


@lru_cache(maxsize=64)
def legal_moves(cells: str, seat: Seat) -> tuple[int, ...]:
    """The moves of a seat on any board, in order. An observation asks for them several times."""
    return KERNEL.legal(row_of(cells, seat), seat)


def row_of(cells: str, mover: Seat | None) -> np.ndarray:
    """Any board as the kernels read it."""
    row = KERNEL.empty_row()
    row[k.TURN] = NOBODY if mover is None else mover
    row[k.LAST] = k.NOTHING
    row[k.BLACK :] = sides_of(cells)
    return row


class Breakthrough(KernelGame[BreakthroughView]):
    kernel = KERNEL

    def view(self, state: RowState, seat: Seat | None) -> BreakthroughView:
        mover, _, number, last = state.row[: k.BLACK].tolist()
        cells = cells_of(state.row[k.BLACK :])
        return BreakthroughView(
            seat, cells, None if mover == NOBODY else mover, number, None if last == k.NOTHING else last
        )
