"""Breakthrough's rules as kernels: the pieces of a side are bits of one number, cell 0 being a8, cell 63 being h1."""

import numpy as np

from mmgames.kernels.bitboard import BLACKS, CELLS, LAST, NOTHING, NUMBER, ONE, SIDE, WHITES, WIDTH
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.symmetries import FLIP_COLUMNS
from mmgames.kernels.two_players import RESULT, TURN, returns, turn

# Rows down and columns right: black's three ways, then white's. Moves are numbered by cell, then way, then whether they
# capture.
WAYS = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1))
NUM_WAYS = len(WAYS)
NUM_ACTIONS = CELLS * NUM_WAYS * 2
MOST_MOVES = 16 * 3  # sixteen pieces, three ways each
NUM_FEATURES = 2 * CELLS + 2

TOP_TWO = np.uint64(0x0000_0000_0000_FFFF)
BOTTOM_TWO = np.uint64(0xFFFF_0000_0000_0000)
NOT_ON_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_ON_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
STEPS = np.array([down * SIDE + right for down, right in WAYS])

# The place of a lone bit: multiplied by this number, every one of them brings other bits to the top.
DE_BRUIJN = np.uint64(0x03F7_9D71_B4CB_0A89)
PLACES = np.zeros(64, np.int64)
for _place in range(64):
    PLACES[((int(DE_BRUIJN) << _place) & (2**64 - 1)) >> 58] = _place


@kernel
def place(lone):
    return PLACES[(lone * DE_BRUIJN) >> np.uint64(58)]


@kernel
def start(row, noise):
    row[:] = 0
    row[LAST] = NOTHING
    row[BLACKS] = np.int64(TOP_TWO)
    row[WHITES] = np.int64(BOTTOM_TWO)


@kernel
def list_moves(targets, other, way, out, n):
    """Add the moves that lead one way to these cells."""
    while targets:
        lone = targets & (~targets + ONE)
        targets ^= lone
        capture = np.int64((lone & other) != 0)
        out[n] = ((place(lone) - STEPS[way]) * NUM_WAYS + way) * 2 + capture
        n += 1
    return n


@kernel
def moves(row, seat, out):
    """Captures among the steps to a side come before steps ahead."""
    black, white = np.uint64(row[BLACKS]), np.uint64(row[WHITES])
    empty = ~(black | white)
    if seat == 0:
        n = list_moves(((black & NOT_ON_A) << np.uint64(7)) & ~black, white, 0, out, 0)
        n = list_moves(((black & NOT_ON_H) << np.uint64(9)) & ~black, white, 2, out, n)
        return list_moves((black << np.uint64(8)) & empty, white, 1, out, n)
    n = list_moves(((white & NOT_ON_A) >> np.uint64(9)) & ~white, black, 3, out, 0)
    n = list_moves(((white & NOT_ON_H) >> np.uint64(7)) & ~white, black, 5, out, n)
    return list_moves((white >> np.uint64(8)) & empty, black, 4, out, n)


@kernel
def step(row, actions, noise):
    mover = row[TURN]
    action = actions[mover]
    own, other = BLACKS + mover, WHITES - mover
    source = action // 2 // NUM_WAYS
    target = source + STEPS[action // 2 % NUM_WAYS]
    entered = ONE << np.uint64(target)
    row[own] ^= np.int64((ONE << np.uint64(source)) | entered)
    row[other] &= ~np.int64(entered)
    row[NUMBER] += 1
    row[LAST] = action
    row[TURN] = 1 - mover
    through = target >= CELLS - SIDE if mover == 0 else target < SIDE
    if through or row[other] == 0:
        row[RESULT] = 1 - 2 * mover
        row[TURN] = NOBODY


@kernel
def features(row, seat, out):
    """Own pieces and the other's, row by row from the own side's far row, own turn and the seat."""
    own, other = np.uint64(row[BLACKS + seat]), np.uint64(row[WHITES - seat])
    for cell in range(CELLS):
        seen = np.uint64(cell if seat else (SIDE - 1 - cell // SIDE) * SIDE + cell % SIDE)
        out[cell] = own >> seen & ONE
        out[CELLS + cell] = other >> seen & ONE
    out[2 * CELLS] = row[TURN] == seat
    out[2 * CELLS + 1] = seat


@kernel
def evaluate(row):
    """How far black's foremost piece has come less how far white's has, over the seven steps across the board."""
    black, white = np.uint64(row[BLACKS]), np.uint64(row[WHITES])
    lead = 0
    while black >> np.uint64(8):
        black >>= np.uint64(8)
        lead += 1
    while white << np.uint64(8):
        white <<= np.uint64(8)
        lead -= 1
    return lead / 7


def point(seat: int, action: int) -> int:
    """A step stands on the cell it leaves, as its side sees the board; there are three kinds: left, ahead, right."""
    cell, way = divmod(action // 2, NUM_WAYS)
    seen = cell if seat else (SIDE - 1 - cell // SIDE) * SIDE + cell % SIDE
    return way % 3 * CELLS + seen


KERNEL = Kernel(
    *(WIDTH, NUM_ACTIONS, NUM_FEATURES, start, turn, moves, step, returns, features),
    most_moves=MOST_MOVES,
    evaluate=evaluate,
    depth=5,
    board=(SIDE, SIDE),
    point=point,
    symmetries=((FLIP_COLUMNS, (2, 1, 0)),),
)
