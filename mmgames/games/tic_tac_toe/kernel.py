"""TicTacToe's rules as kernels: the marks of a side are nine bits of one number."""

from __future__ import annotations

import numpy as np

from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.symmetries import SQUARE
from mmgames.kernels.two_players import RESULT, TURN, returns, turn

SIDE = 3
CELLS = SIDE * SIDE
ROWS = tuple(tuple(range(first, first + SIDE)) for first in range(0, CELLS, SIDE))
COLUMNS = tuple(zip(*ROWS, strict=True))
LINES = (*ROWS, *COLUMNS, (0, 4, 8), (2, 4, 6))

# The row: TURN, RESULT, the cell of the last move, the marks of X and of O.
LAST, FIRST, SECOND = range(2, 5)
WIDTH = 5
NOWHERE = -1
FULL = 2**CELLS - 1
NUM_FEATURES = 3 * CELLS


def _wins() -> np.ndarray:
    """By marks: whether they hold a line."""
    lines = [sum(1 << cell for cell in line) for line in LINES]
    return np.array([any(marks & line == line for line in lines) for marks in range(FULL + 1)])


WINS = _wins()
BITS = (np.arange(FULL + 1)[:, None] >> np.arange(CELLS) & 1).astype(np.float32)  # marks, written out


@kernel
def start(row, noise):
    row[TURN] = row[RESULT] = row[FIRST] = row[SECOND] = 0
    row[LAST] = NOWHERE


@kernel
def moves(row, seat, out):
    taken = row[FIRST] | row[SECOND]
    n = 0
    for cell in range(CELLS):
        if not taken >> cell & 1:
            out[n] = cell
            n += 1
    return n


@kernel
def step(row, actions, noise):
    mover = row[TURN]
    cell = actions[mover]
    row[FIRST + mover] |= 1 << cell
    row[LAST] = cell
    row[TURN] = 1 - mover
    if WINS[row[FIRST + mover]]:
        row[RESULT] = 1 - 2 * mover
        row[TURN] = NOBODY
    elif row[FIRST] | row[SECOND] == FULL:
        row[TURN] = NOBODY


@kernel
def features(row, seat, out):
    """Own marks, the other's marks, empty cells."""
    own, other = row[FIRST + seat], row[SECOND - seat]
    empty = FULL & ~(own | other)
    for cell in range(CELLS):
        out[cell] = BITS[own, cell]
        out[CELLS + cell] = BITS[other, cell]
        out[2 * CELLS + cell] = BITS[empty, cell]


KERNEL = Kernel(
    *(WIDTH, CELLS, NUM_FEATURES, start, turn, moves, step, returns, features),
    board=(SIDE, SIDE),
    symmetries=SQUARE,
)
