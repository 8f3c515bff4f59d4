"""TicTacToe as kernels: the marks of a side are nine bits of one number."""

from __future__ import annotations

import numpy as np

from mmgames.core.board import RUNNING, Board
from mmgames.core.kernel import kernel
from mmgames.games.tic_tac_toe.rules import CELLS, LINES

MOVER, FIRST, SECOND = range(3)
FULL = 2**CELLS - 1
LINE_BITS = np.array([sum(1 << cell for cell in line) for line in LINES])


@kernel
def start(row):
    row[:] = 0


@kernel
def moves(row, out):
    taken = row[FIRST] | row[SECOND]
    n = 0
    for cell in range(CELLS):
        if not taken >> cell & 1:
            out[n] = cell
            n += 1
    return n


@kernel
def play(row, action):
    mover = row[MOVER]
    row[FIRST + mover] |= 1 << action
    row[MOVER] = 1 - mover
    own = row[FIRST + mover]
    for line in LINE_BITS:
        if own & line == line:
            return 1 - 2 * mover
    return 0 if row[FIRST] | row[SECOND] == FULL else RUNNING


@kernel
def evaluate(row):
    return 0.0


BOARD = Board(3, CELLS, start, moves, play, evaluate)
