"""Gomoku's rules as kernels. The row keeps count of the patterns on the board, so judging a position is a short sum.

Patterns are found in windows on a line. A window of five without the other's stones can still become five: it counts
by its own stones, one to four. A window of six with empty ends is an open three or an open four when its inner four
points hold three or four own stones and nothing of the other's.
"""

import math

import numpy as np

from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.symmetries import SQUARE
from mmgames.kernels.two_players import RESULT, TURN, returns, turn

SIDE = 15
CELLS = SIDE * SIDE
FIVE = 5
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down, columns right
NUM_FEATURES = 2 * CELLS + 2

# The row: TURN, RESULT, the stones on the board, the last point, then what follows.
STONES, LAST, PATTERNS = range(2, 5)
NOWHERE = -1
# A side's pattern counts: windows with 1 to 4 stones at places 0 to 3, then these.
FOUR, OPEN_THREE, OPEN_FOUR = 3, 4, 5
KINDS = 6
POINTS = PATTERNS + 2 * KINDS  # EMPTY or the seat + 1, point by point, and behind them the wall
WIDTH = POINTS + CELLS + 1
EMPTY, WALL = 0, 3

REACH = 5  # a stone matters to windows of six up to five points away
NEAR = 2  # candidates are at most this far from a stone
WORTH = np.array([1.0, 6.0, 20.0, 50.0, 60.0, 200.0])
INITIATIVE = 1.5  # patterns of the side to move count this much more
SCALE = 250.0
ORDER_OWN = np.array([0.0, 2.0, 20.0, 200.0, 100_000.0])
ORDER_OTHER = np.array([0.0, 1.0, 10.0, 100.0, 10_000.0])


def _place(row: int, column: int) -> int:
    return POINTS + (row * SIDE + column if 0 <= row < SIDE and 0 <= column < SIDE else CELLS)


# By point, direction and distance from -REACH to REACH: where in the row that point stands.
LINES = np.array(
    [
        [
            [_place(cell // SIDE + k * down, cell % SIDE + k * right) for k in range(-REACH, REACH + 1)]
            for down, right in DIRECTIONS
        ]
        for cell in range(CELLS)
    ]
)
AROUND = np.array(
    [
        [
            _place(cell // SIDE + down, cell % SIDE + right)
            for down in range(-NEAR, NEAR + 1)
            for right in range(-NEAR, NEAR + 1)
        ]
        for cell in range(CELLS)
    ]
)


@kernel
def start(row, noise):
    row[:] = 0
    row[LAST] = NOWHERE
    row[POINTS + CELLS] = WALL


@kernel
def moves(row, seat, out):
    n = 0
    for cell in range(CELLS):  # no branch: on a board at random it would be guessed wrong half of the time
        out[n] = cell
        n += row[POINTS + cell] == EMPTY
    return n


@kernel
def window(row, line, first, length):
    """How many stones of each side stand on some points in a row; -1 and -1 if they leave the board."""
    black = white = 0
    for k in range(first, first + length):
        point = row[line[k]]
        if point == WALL:
            return -1, -1
        black += point == 1
        white += point == 2
    return black, white


@kernel
def tally(row, line, change):
    """Add to the pattern counts, or take from them, all windows on this line that hold its middle point."""
    for first in range(REACH - FIVE + 1, REACH + 1):
        black, white = window(row, line, first, FIVE)
        if white == 0 and 0 < black < FIVE:
            row[PATTERNS + black - 1] += change
        elif black == 0 and 0 < white < FIVE:
            row[PATTERNS + KINDS + white - 1] += change
    for first in range(REACH + 1):
        if row[line[first]] == EMPTY and row[line[first + FIVE]] == EMPTY:
            black, white = window(row, line, first + 1, FIVE - 1)
            if white == 0 and black >= 3:
                row[PATTERNS + OPEN_THREE + black - 3] += change
            elif black == 0 and white >= 3:
                row[PATTERNS + KINDS + OPEN_THREE + white - 3] += change


@kernel
def put(row, action, seat):
    """Put a stone on the board and keep count of the patterns; whether it makes five."""
    lines = LINES[action]
    for line in lines:
        tally(row, line, -1)
    row[POINTS + action] = seat + 1
    won = False
    for line in lines:
        tally(row, line, 1)
        length = 1
        for way in (-1, 1):
            k = REACH + way
            while 0 <= k <= 2 * REACH and row[line[k]] == seat + 1:
                length += 1
                k += way
        won = won or length >= FIVE
    row[STONES] += 1
    return won


@kernel
def step(row, actions, noise):
    mover = row[TURN]
    row[LAST] = actions[mover]
    row[TURN] = 1 - mover
    if put(row, actions[mover], mover):
        row[RESULT] = 1 - 2 * mover
        row[TURN] = NOBODY
    elif row[STONES] == CELLS:
        row[TURN] = NOBODY


@kernel
def features(row, seat, out):
    """Own stones and the other's, row by row from the top left, own turn and the seat."""
    for cell in range(CELLS):
        stone = row[POINTS + cell]
        out[cell] = stone == seat + 1
        out[CELLS + cell] = stone == 2 - seat
    out[2 * CELLS] = row[TURN] == seat
    out[2 * CELLS + 1] = seat


@kernel
def evaluate(row):
    """A four of the mover wins, an open four of the other's loses, an open three of the mover's nearly wins if there
    is no four to answer; else all patterns are weighed."""
    mover = row[TURN]
    sign = 1.0 - 2.0 * mover
    own, other = PATTERNS + KINDS * mover, PATTERNS + KINDS * (1 - mover)
    if row[own + FOUR]:
        return 0.99 * sign
    if row[other + OPEN_FOUR]:
        return -0.98 * sign
    weight = 0.0
    for kind in range(KINDS):
        weight += WORTH[kind] * (INITIATIVE * row[own + kind] - row[other + kind])
    share = 0.05 * math.tanh(weight / SCALE)
    if row[other + FOUR] >= 2:
        return (share - 0.85) * sign
    if row[own + OPEN_THREE] and not row[other + FOUR]:
        return (share + 0.85) * sign
    return 0.75 * math.tanh(weight / SCALE) * sign


@kernel
def candidates(row, seat, out):
    """Empty points near stones, those first that make or break the most; the middle of an empty board."""
    if row[STONES] == 0:
        out[0] = CELLS // 2
        return 1
    promise = np.empty(CELLS)
    n = 0
    for cell in range(CELLS):
        if row[POINTS + cell] != EMPTY:
            continue
        near = False
        for place in AROUND[cell]:
            near = near or row[place] == 1 or row[place] == 2
        if near:
            worth = urgency(row, cell, seat)
            place = n
            while place > 0 and promise[place - 1] < worth:
                promise[place], out[place] = promise[place - 1], out[place - 1]
                place -= 1
            promise[place], out[place] = worth, cell
            n += 1
    return n if n else moves(row, seat, out)


@kernel
def urgency(row, cell, mover):
    total = 0.0
    for line in LINES[cell]:
        for first in range(REACH - FIVE + 1, REACH + 1):
            black, white = window(row, line, first, FIVE)
            own, other = (black, white) if mover == 0 else (white, black)
            if other == 0:
                total += ORDER_OWN[own]
            elif own == 0:
                total += ORDER_OTHER[other]
    return total


KERNEL = Kernel(
    *(WIDTH, CELLS, NUM_FEATURES, start, turn, moves, step, returns, features),
    evaluate=evaluate,
    candidates=candidates,
    depth=2,
    board=(SIDE, SIDE),
    symmetries=SQUARE,
)
