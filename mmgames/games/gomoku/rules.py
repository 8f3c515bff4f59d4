"""Gomoku: kernel.py has the rules; the view is the board."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.gomoku import kernel as k
from mmgames.games.gomoku.kernel import CELLS, DIRECTIONS, FIVE, KERNEL, SIDE
from mmgames.kernels.kernel_game import NOBODY, KernelGame, RowState

EMPTY, BLACK, WHITE = ".bw"  # their places are the codes that `cells` gives and that the row keeps
_CODE_OF = {EMPTY: 0, BLACK: 1, WHITE: 2}
NO_STONES = EMPTY * CELLS


def _ray(cell: int, down: int, right: int) -> tuple[int, ...]:
    """The points from the next one to the edge of the board, one way."""
    row, column = divmod(cell, SIDE)
    found = []
    while 0 <= (row := row + down) < SIDE and 0 <= (column := column + right) < SIDE:
        found.append(row * SIDE + column)
    return tuple(found)


# For each point its four lines, each as the rays to both sides.
_LINES_THROUGH = tuple(
    tuple((_ray(cell, -down, -right), _ray(cell, down, right)) for down, right in DIRECTIONS) for cell in range(CELLS)
)


class GomokuView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 225 of EMPTY, BLACK and WHITE, row by row from A1 at the top left to O15
    mover: Seat | None  # None when the game is over
    last: int | None = None  # the point of the last move


def cells(view: GomokuView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board from the top: 0 for an empty point, 1 for a black stone, 2 for a white one."""
    codes = [_CODE_OF[stone] for stone in view.cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


def lines_at(stones: str, cell: int) -> list[tuple[int, ...]]:
    """The unbroken lines of equal stones through a stone, one per direction, its own point among them."""
    stone, lines = stones[cell], []
    for rays in _LINES_THROUGH[cell]:
        line = [cell]
        for ray in rays:
            for point in ray:
                if stones[point] != stone:
                    break
                line.append(point)
        lines.append(tuple(sorted(line)))
    return lines


@lru_cache(maxsize=256)
def fives(stones: str) -> tuple[tuple[int, ...], ...]:
    """All lines of five or more equal stones on any board; one move can complete several."""
    found = {}
    for cell, stone in enumerate(stones):
        if stone != EMPTY:
            found.update(dict.fromkeys(line for line in lines_at(stones, cell) if len(line) >= FIVE))
    return tuple(found)


@lru_cache(maxsize=64)
def legal_moves(stones: str) -> tuple[int, ...]:
    """The empty points of any board."""
    return KERNEL.legal(row_of(stones, 0), 0)


_CODES = bytes.maketrans((EMPTY + BLACK + WHITE).encode(), bytes(range(3)))
_STONES = bytes.maketrans(bytes(range(3)), (EMPTY + BLACK + WHITE).encode())


def row_of(stones: str, mover: Seat | None) -> np.ndarray:
    """Any board as the kernels read it. Patterns are not counted, so `evaluate` knows nothing of it."""
    row = KERNEL.empty_row()
    row[k.TURN] = NOBODY if mover is None else mover
    row[k.LAST] = k.NOWHERE
    row[k.POINTS : k.POINTS + CELLS] = np.frombuffer(stones.encode().translate(_CODES), np.uint8)
    row[k.POINTS + CELLS] = k.WALL
    return row


class Gomoku(KernelGame[GomokuView]):
    kernel = KERNEL

    def view(self, state: RowState, seat: Seat | None) -> GomokuView:
        row = state.row
        mover, last = int(row[k.TURN]), int(row[k.LAST])
        stones = row[k.POINTS : k.POINTS + CELLS].astype(np.uint8).tobytes().translate(_STONES).decode()
        return GomokuView(seat, stones, None if mover == NOBODY else mover, None if last == k.NOWHERE else last)
