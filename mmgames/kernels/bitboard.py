"""Games for two on boards of eight by eight cells: as text, one sign a cell, and as bits, one 64-bit number a side."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame, RowState
from mmgames.kernels.two_players import TURN

SIDE = 8
CELLS = SIDE * SIDE
ONE = np.uint64(1)

# The row: TURN, RESULT, how many moves were made, the last of them, the pieces of both sides.
NUMBER, LAST, BLACKS, WHITES, WIDTH = range(2, 7)
NOTHING = -1

EMPTY, BLACK, WHITE = SIGNS = (".", "b", "w")
"""An empty cell, a piece of the first side, one of the second."""

_TO_SIGNS = bytes.maketrans(bytes(range(len(SIGNS))), "".join(SIGNS).encode())


def sides_of(cells: str) -> np.ndarray:
    """The cells that each side holds, cell 0 being the lowest bit."""
    signs = np.frombuffer(cells.encode(), np.uint8)
    held = np.array([signs == ord(sign) for sign in SIGNS[1:]])
    return np.packbits(held, axis=1, bitorder="little").view(np.int64)[:, 0]


def cells_of(sides: np.ndarray) -> str:
    """The board of two sides as text."""
    first, second = np.unpackbits(np.ascontiguousarray(sides).view(np.uint8), bitorder="little").reshape(2, -1)
    return (first + 2 * second).tobytes().translate(_TO_SIGNS).decode()


def codes_of(cells: str) -> tuple[tuple[int, ...], ...]:
    """The rows of a board from the top: 0 for an empty cell, 1 for the first side's, 2 for the second's."""
    codes = [SIGNS.index(sign) for sign in cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


def row_of(kernel: Kernel, cells: str, mover: Seat | None) -> np.ndarray:
    """Any board as the kernels of a game read it."""
    row = kernel.empty_row()
    row[TURN] = NOBODY if mover is None else mover
    row[LAST] = NOTHING
    row[BLACKS:] = sides_of(cells)
    return row


class BoardView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 64 of EMPTY, BLACK and WHITE, row by row from the top left
    mover: Seat | None  # None when the game is over
    number: int = 0  # moves made so far, passes among them
    last: int | None = None  # the last move


class BitboardGame(KernelGame[BoardView]):
    """A subclass brings the kernel, and its BoardView with what only it knows."""

    board_view: ClassVar[type[BoardView]]

    def view(self, state: RowState, seat: Seat | None) -> BoardView:
        mover, _, number, last = state.row[:BLACKS].tolist()
        cells = cells_of(state.row[BLACKS:])
        return self.board_view(
            seat, cells, None if mover == NOBODY else mover, number, None if last == NOTHING else last
        )
