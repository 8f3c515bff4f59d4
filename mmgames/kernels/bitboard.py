"""Games for two on boards of eight by eight cells: as text, one sign a cell, and as bits, one 64-bit number a side."""

from typing import ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, int8, int16, record, uint64

SIDE = 8
CELLS = SIDE * SIDE
ONE = np.uint64(1)
NO_MOVE = -1

# How many moves were made, the last of them, the pieces of both sides; `turn` and `result` as in two_players.py.
FIELDS = record(turn=int8, result=int8, number=int16, last=int16, pieces=(uint64, 2))

# Multiplied by this number, every lone bit brings other bits to the top, which tell its cell. A loop that shifts the
# bit down plays batches of Breakthrough at two thirds of the speed.
DE_BRUIJN = np.uint64(0x03F7_9D71_B4CB_0A89)
LONE_CELLS = np.zeros(CELLS, np.int64)
LONE_CELLS[(DE_BRUIJN << np.arange(CELLS, dtype=np.uint64)) >> np.uint64(58)] = np.arange(CELLS)

EMPTY, BLACK, WHITE = SIGNS = (".", "b", "w")
"""An empty cell, a piece of the first side, one of the second."""

_HELD = tuple(str.maketrans("".join(SIGNS), digits) for digits in ("010", "001"))
_TO_SIGNS = bytes.maketrans(bytes(range(len(SIGNS))), "".join(SIGNS).encode())


@inlined
def set_up(state, first, second):
    """Nobody has moved, and the sides hold these cells."""
    state.turn = 0
    state.result = 0
    state.number = 0
    state.last = NO_MOVE
    state.pieces[0] = first
    state.pieces[1] = second


@kernel
def cell_of(lone):
    """The cell of a lone bit."""
    return LONE_CELLS[(lone * DE_BRUIJN) >> np.uint64(58)]


def pieces_of(cells: str) -> np.ndarray:
    """The cells that each side holds, cell 0 being the lowest bit."""
    return np.array([int(cells[::-1].translate(held), 2) for held in _HELD], np.uint64)


def cells_of(pieces: np.ndarray) -> str:
    """The board of two sides as text."""
    first, second = np.unpackbits(np.ascontiguousarray(pieces).view(np.uint8), bitorder="little").reshape(2, -1)
    return (first + 2 * second).tobytes().translate(_TO_SIGNS).decode()


def codes_of(cells: str) -> tuple[tuple[int, ...], ...]:
    """The rows of a board from the top: 0 for an empty cell, 1 for the first side's, 2 for the second's."""
    codes = [SIGNS.index(sign) for sign in cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


def board_state(kernel: Kernel, cells: str, mover: Seat | None) -> RecordState:
    """Any board as a state of a game."""
    whose = NOBODY if mover is None else mover
    return kernel.blank.replace(turn=whose, last=NO_MOVE, pieces=pieces_of(cells))


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

    def view(self, state: RecordState, seat: Seat | None) -> BoardView:
        cells, mover, last = cells_of(state.array["pieces"]), state.turn, state.last
        return self.board_view(
            seat, cells, None if mover == NOBODY else mover, state.number, None if last == NO_MOVE else last
        )
