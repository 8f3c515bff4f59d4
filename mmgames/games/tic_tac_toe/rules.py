"""TicTacToe: three in a row on nine cells. The marks of a seat are nine bits of one number."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, int8, int16, record
from mmgames.kernels.symmetries import SQUARE
from mmgames.kernels.two_players import returns, turn, win

SIDE = 3
CELLS = SIDE * SIDE
ROWS = tuple(tuple(range(first, first + SIDE)) for first in range(0, CELLS, SIDE))
COLUMNS = tuple(zip(*ROWS, strict=True))
LINES = (*ROWS, *COLUMNS, (0, 4, 8), (2, 4, 6))
FULL = 2**CELLS - 1  # all cells are marked
NOWHERE = -1

FIELDS = record(turn=int8, result=int8, last=int8, marks=(int16, 2))  # `last` is the cell of the last move

# By marks: whether they hold a line, and the marks written out.
WINS = np.array([any(all(marks >> cell & 1 for cell in line) for line in LINES) for marks in range(FULL + 1)])
BITS = (np.arange(FULL + 1)[:, None] >> np.arange(CELLS) & 1).astype(np.float32)


@kernel
def start(state, noise):
    state.turn = 0
    state.result = 0
    state.last = NOWHERE
    state.marks[:] = 0


@kernel
def moves(state, seat, out):
    """Any empty cell."""
    taken = state.marks[0] | state.marks[1]
    n = 0
    for cell in range(CELLS):
        if not taken >> cell & 1:
            out[n] = cell
            n += 1
    return n


@kernel
def step(state, actions, noise):
    """The mover marks a cell; a full line wins, and a full board without one is a draw."""
    mover = state.turn
    cell = actions[mover]
    state.marks[mover] |= 1 << cell
    state.last = cell
    state.turn = 1 - mover
    if WINS[state.marks[mover]]:
        win(state, mover)
    elif state.marks[0] | state.marks[1] == FULL:
        state.turn = NOBODY


@kernel
def features(state, seat, out):
    """Own marks, the other's marks, empty cells."""
    own, other = state.marks[seat], state.marks[1 - seat]
    empty = FULL & ~(own | other)
    for cell in range(CELLS):
        out[cell] = BITS[own, cell]
        out[CELLS + cell] = BITS[other, cell]
        out[2 * CELLS + cell] = BITS[empty, cell]


KERNEL = Kernel(
    *(blank_state(FIELDS), CELLS, 3 * CELLS, start, turn, moves, step, returns, features),
    board=(SIDE, SIDE),
    symmetries=SQUARE,
)

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
    return KERNEL.legal(board_state(cells, seat), seat)


def board_state(cells: tuple[int, ...], mover: Seat | None, marks: tuple[int, int] = MARK_OF_SEAT) -> RecordState:
    """Any board as a state; `marks` are those of the first and of the second seat."""
    held = [sum(1 << cell for cell, each in enumerate(cells) if each == mark) for mark in marks]
    return KERNEL.blank.replace(turn=NOBODY if mover is None else mover, last=NOWHERE, marks=held)


class TicTacToe(KernelGame[TicTacToeView]):
    kernel = KERNEL

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.marks = MARK_OF_SEAT
        if self.options["begins"] == "o":
            self.marks = (NOUGHT, CROSS)
            self.settle(seats=("o", "x"))

    def view(self, state: RecordState, seat: Seat | None) -> TicTacToeView:
        (one, two), (first, second) = self.marks, state.marks
        cells = [one if first >> cell & 1 else two if second >> cell & 1 else EMPTY for cell in range(CELLS)]
        mover, last = state.turn, state.last
        last = None if last == NOWHERE else last
        return TicTacToeView(seat, tuple(cells), None if mover == NOBODY else mover, last, self.marks)
