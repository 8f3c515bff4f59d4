"""Reversi as kernels: the discs of a side are the bits of one number, cell 0 being A1 and cell 63 being H8."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mmgames.core.board import RUNNING, Board
from mmgames.core.kernel import kernel
from mmgames.games.reversi.rules import CELLS, PASS

MOVER, BLACK, WHITE = range(3)
WIDTH = 3
WAYS = 8

ONE = np.uint64(1)
FULL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
NOT_COLUMN_1 = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_COLUMN_8 = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
# By way: the four that go on to higher cells, then the four back; a step must not end on the far side of the board.
SHIFTS = np.array([1, 7, 8, 9, 1, 7, 8, 9], np.uint64)
ENDS = np.array(
    [NOT_COLUMN_1, NOT_COLUMN_8, FULL, NOT_COLUMN_1, NOT_COLUMN_8, NOT_COLUMN_1, FULL, NOT_COLUMN_8], np.uint64
)
CORNERS = np.uint64(1 << 0 | 1 << 7 | 1 << 56 | 1 << 63)
CORNER_IN_MOVES = 10
START_BLACK = (1 << 28) | (1 << 35)
START_WHITE = (1 << 27) | (1 << 36)


@kernel
def step(discs, way):
    moved = discs << SHIFTS[way] if way < 4 else discs >> SHIFTS[way]
    return moved & ENDS[way]


@kernel
def run_from(discs, other, way):
    """The other's discs that stand in unbroken lines one way from these."""
    run = step(discs, way) & other
    for _ in range(5):
        run |= step(run, way) & other
    return run


@kernel
def targets(own, other):
    found = np.uint64(0)
    for way in range(WAYS):
        found |= step(run_from(own, other, way), way)
    return found & ~(own | other)


@kernel
def count(discs):
    n = 0
    while discs:
        discs &= discs - ONE
        n += 1
    return n


@kernel
def start(row):
    row[MOVER] = 0
    row[BLACK] = START_BLACK
    row[WHITE] = START_WHITE


@kernel
def moves(row, out):
    mover = row[MOVER]
    found = targets(np.uint64(row[BLACK + mover]), np.uint64(row[WHITE - mover]))
    n = 0
    for cell in range(CELLS):
        if found >> np.uint64(cell) & ONE:
            out[n] = cell
            n += 1
    if n == 0:
        out[0] = PASS
        return 1
    return n


@kernel
def play(row, action):
    mover = row[MOVER]
    row[MOVER] = 1 - mover
    if action == PASS:
        return RUNNING
    own, other = np.uint64(row[BLACK + mover]), np.uint64(row[WHITE - mover])
    disc = ONE << np.uint64(action)
    turned = np.uint64(0)
    for way in range(WAYS):
        run = run_from(disc, other, way)
        if step(run, way) & own:
            turned |= run
    own |= disc | turned
    other &= ~turned
    row[BLACK + mover], row[WHITE - mover] = np.int64(own), np.int64(other)
    if targets(other, own) or targets(own, other):
        return RUNNING
    return np.sign(lead(row))


@kernel
def lead(row):
    return count(np.uint64(row[BLACK])) - count(np.uint64(row[WHITE]))


@kernel
def discs(row):
    """Black's discs less white's, over more than there can be."""
    return lead(row) / (CELLS + 1)


@kernel
def evaluate(row):
    """Black's moves and corners less white's: discs come and go, corners stay and moves are what they are won with."""
    black, white = np.uint64(row[BLACK]), np.uint64(row[WHITE])
    freedom = count(targets(black, white)) - count(targets(white, black))
    corners = count(black & CORNERS) - count(white & CORNERS)
    return (freedom + CORNER_IN_MOVES * corners) / (2 * CELLS)


BOARD = Board(WIDTH, CELLS, start, moves, play, evaluate, depth=3)
DISC_BOARD = replace(BOARD, evaluate=discs)
