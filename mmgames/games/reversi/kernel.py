"""Reversi's rules as kernels: the discs of a side are the bits of one number, cell 0 being A1 and cell 63 being H8."""

from dataclasses import replace

import numpy as np

from mmgames.kernels.bitboard import BLACKS, CELLS, LAST, NOTHING, NUMBER, ONE, SIDE, WHITES, WIDTH
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.symmetries import HALF_TURN, TRANSPOSE
from mmgames.kernels.two_players import RESULT, TURN, returns, turn

PASS = CELLS
WAYS = 8
NUM_FEATURES = 2 * CELLS + 2

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
def shift(discs, way):
    """The discs one step further, without those that leave the board."""
    moved = discs << SHIFTS[way] if way < 4 else discs >> SHIFTS[way]
    return moved & ENDS[way]


@kernel
def run_from(discs, other, way):
    """The other's discs that stand in unbroken lines one way from these."""
    run = shift(discs, way) & other
    for _ in range(5):
        run |= shift(run, way) & other
    return run


@kernel
def targets(own, other):
    found = np.uint64(0)
    for way in range(WAYS):
        found |= shift(run_from(own, other, way), way)
    return found & ~(own | other)


@kernel
def count(discs):
    n = 0
    while discs:
        discs &= discs - ONE
        n += 1
    return n


@kernel
def start(row, noise):
    row[:] = 0
    row[LAST] = NOTHING
    row[BLACKS] = START_BLACK
    row[WHITES] = START_WHITE


@kernel
def moves(row, seat, out):
    found = targets(np.uint64(row[BLACKS + seat]), np.uint64(row[WHITES - seat]))
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
def step(row, actions, noise):
    mover = row[TURN]
    action = actions[mover]
    row[TURN] = 1 - mover
    row[NUMBER] += 1
    row[LAST] = action
    if action == PASS:
        return
    own, other = np.uint64(row[BLACKS + mover]), np.uint64(row[WHITES - mover])
    disc = ONE << np.uint64(action)
    turned = np.uint64(0)
    for way in range(WAYS):
        run = run_from(disc, other, way)
        if shift(run, way) & own:
            turned |= run
    own |= disc | turned
    other &= ~turned
    row[BLACKS + mover], row[WHITES - mover] = np.int64(own), np.int64(other)
    if not targets(other, own) and not targets(own, other):
        row[TURN] = NOBODY
        row[RESULT] = np.sign(lead(row))


@kernel
def features(row, seat, out):
    """Own discs and the other's, row by row from the top left, own turn and the seat."""
    own, other = np.uint64(row[BLACKS + seat]), np.uint64(row[WHITES - seat])
    for cell in range(CELLS):
        out[cell] = own >> np.uint64(cell) & ONE
        out[CELLS + cell] = other >> np.uint64(cell) & ONE
    out[2 * CELLS] = row[TURN] == seat
    out[2 * CELLS + 1] = seat


@kernel
def lead(row):
    return count(np.uint64(row[BLACKS])) - count(np.uint64(row[WHITES]))


@kernel
def discs(row):
    """Black's discs less white's, over more than there can be."""
    return lead(row) / (CELLS + 1)


@kernel
def evaluate(row):
    """Black's moves and corners less white's: discs come and go, corners stay and moves are what they are won with."""
    black, white = np.uint64(row[BLACKS]), np.uint64(row[WHITES])
    freedom = count(targets(black, white)) - count(targets(white, black))
    corners = count(black & CORNERS) - count(white & CORNERS)
    return (freedom + CORNER_IN_MOVES * corners) / (2 * CELLS)


KERNEL = Kernel(
    *(WIDTH, CELLS + 1, NUM_FEATURES, start, turn, moves, step, returns, features),
    most_moves=CELLS,
    evaluate=evaluate,
    depth=3,
    board=(SIDE, SIDE),
    symmetries=tuple((way, (0,)) for way in (HALF_TURN, TRANSPOSE, HALF_TURN | TRANSPOSE)),
)
DISC_KERNEL = replace(KERNEL, evaluate=discs)
