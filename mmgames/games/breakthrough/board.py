"""Breakthrough as kernels: the pieces of a side are the bits of one number, cell 0 being a8 and cell 63 being h1."""

from __future__ import annotations

import numpy as np

from mmgames.core.board import RUNNING, Board
from mmgames.core.kernel import kernel

MOVER, BLACK, WHITE = range(3)
WIDTH = 3
MOST_MOVES = 16 * 3  # sixteen pieces, three ways each
WAYS = 6

ONE = np.uint64(1)
TOP_TWO = np.uint64(0x0000_0000_0000_FFFF)
BOTTOM_TWO = np.uint64(0xFFFF_0000_0000_0000)
NOT_ON_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_ON_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
STEPS = np.array([7, 8, 9, -9, -8, -7])  # by way: black to the left, ahead, to the right; then white

# The place of a lone bit: multiplied by this number, every one of them brings other bits to the top.
DE_BRUIJN = np.uint64(0x03F7_9D71_B4CB_0A89)
PLACES = np.zeros(64, np.int64)
for _place in range(64):
    PLACES[((int(DE_BRUIJN) << _place) & (2**64 - 1)) >> 58] = _place


@kernel
def place(lone):
    return PLACES[(lone * DE_BRUIJN) >> np.uint64(58)]


@kernel
def start(row):
    row[MOVER] = 0
    row[BLACK] = np.int64(TOP_TWO)
    row[WHITE] = np.int64(BOTTOM_TWO)


@kernel
def list_moves(targets, other, way, out, n):
    """Add the moves that lead one way to these cells."""
    while targets:
        lone = targets & (~targets + ONE)
        targets ^= lone
        capture = np.int64((lone & other) != 0)
        out[n] = ((place(lone) - STEPS[way]) * WAYS + way) * 2 + capture
        n += 1
    return n


@kernel
def moves(row, out):
    black, white = np.uint64(row[BLACK]), np.uint64(row[WHITE])
    empty = ~(black | white)
    if row[MOVER] == 0:
        n = list_moves(((black & NOT_ON_A) << np.uint64(7)) & ~black, white, 0, out, 0)
        n = list_moves(((black & NOT_ON_H) << np.uint64(9)) & ~black, white, 2, out, n)
        return list_moves((black << np.uint64(8)) & empty, white, 1, out, n)
    n = list_moves(((white & NOT_ON_A) >> np.uint64(9)) & ~white, black, 3, out, 0)
    n = list_moves(((white & NOT_ON_H) >> np.uint64(7)) & ~white, black, 5, out, n)
    return list_moves((white >> np.uint64(8)) & empty, black, 4, out, n)


@kernel
def play(row, action):
    mover = row[MOVER]
    own, other = BLACK + mover, WHITE - mover
    source = action // 2 // WAYS
    target = source + STEPS[action // 2 % WAYS]
    entered = ONE << np.uint64(target)
    row[own] ^= np.int64((ONE << np.uint64(source)) | entered)
    row[other] &= ~np.int64(entered)
    row[MOVER] = 1 - mover
    through = target >= 56 if mover == 0 else target < 8
    return 1 - 2 * mover if through or row[other] == 0 else RUNNING


@kernel
def evaluate(row):
    """How far black's foremost piece has come less how far white's has, over the seven steps across the board."""
    black, white = np.uint64(row[BLACK]), np.uint64(row[WHITE])
    lead = 0
    while black >> np.uint64(8):
        black >>= np.uint64(8)
        lead += 1
    while white << np.uint64(8):
        white <<= np.uint64(8)
        lead -= 1
    return lead / 7


BOARD = Board(WIDTH, MOST_MOVES, start, moves, play, evaluate, depth=5)
