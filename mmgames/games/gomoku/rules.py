"""Gomoku. The state keeps count of the patterns on the board, so judging a position is a short sum.

Patterns are found in windows on a line. A window of five without the other's stones can still become five: it counts
by its own stones, one to four. A window of six with empty ends is an open three or an open four when its inner four
points hold three or four own stones and nothing of the other's.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, int8, int16, record
from mmgames.kernels.symmetries import SQUARE
from mmgames.kernels.two_players import returns, turn, win

SIDE = 15
CELLS = SIDE * SIDE
FIVE = 5
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down, columns right

NOWHERE = -1
FREE, WALL = 0, 3  # what a point holds beside a stone, which is its seat + 1
# A side's pattern counts: windows with 1 to 4 stones at places 0 to 3, then these.
FOUR, OPEN_THREE, OPEN_FOUR = 3, 4, 5
KINDS = 6

FIELDS = record(
    turn=int8,
    result=int8,
    stones=int16,  # on the board
    last=int16,  # the point of the last move
    points=(int8, CELLS + 1),  # behind those of the board is the wall
    patterns=(int16, (2, KINDS)),  # by seat
)

REACH = 5  # a stone matters to windows of six up to five points away
NEAR = 2  # candidates are at most this far from a stone
WORTH = np.array([1.0, 6.0, 20.0, 50.0, 60.0, 200.0])
INITIATIVE = 1.5  # patterns of the side to move count this much more
SCALE = 250.0
ORDER_OWN = np.array([0.0, 2.0, 20.0, 200.0, 100_000.0])
ORDER_OTHER = np.array([0.0, 1.0, 10.0, 100.0, 10_000.0])


def point_from(point: int, down: int, right: int) -> int:
    """The point so far away; the wall outside of the board."""
    row, column = point // SIDE + down, point % SIDE + right
    return row * SIDE + column if 0 <= row < SIDE and 0 <= column < SIDE else CELLS


# By point, direction and distance from -REACH to REACH: the points of a line. And the points around each. They have no
# sign: of others compiled code asks whether they are negative.
STEPS, AWAY = range(-REACH, REACH + 1), range(-NEAR, NEAR + 1)
LINES = np.array(
    [[[point_from(cell, k * down, k * right) for k in STEPS] for down, right in DIRECTIONS] for cell in range(CELLS)],
    np.uint8,
)
AROUND = np.array(
    [[point_from(cell, down, right) for down in AWAY for right in AWAY] for cell in range(CELLS)], np.uint8
)


@kernel
def start(state, noise):
    state.turn = 0
    state.result = 0
    state.stones = 0
    state.last = NOWHERE
    state.points[:] = FREE
    state.points[CELLS] = WALL
    state.patterns[:, :] = 0


@kernel
def moves(state, seat, out):
    """Any empty point."""
    n = 0
    for cell in range(CELLS):  # no branch: on a board at random it would be guessed wrong half of the time
        out[n] = cell
        n += state.points[cell] == FREE
    return n


@kernel
def window(state, line, first, length):
    """How many stones of each side stand on some points in a row; -1 and -1 if they leave the board."""
    black = white = 0
    for k in range(first, first + length):
        point = state.points[line[k]]
        if point == WALL:
            return -1, -1
        black += point == 1
        white += point == 2
    return black, white


@kernel
def tally(state, line, change):
    """Add to the pattern counts, or take from them, all windows on this line that hold its middle point."""
    for first in range(REACH - FIVE + 1, REACH + 1):
        black, white = window(state, line, first, FIVE)
        if white == 0 and 0 < black < FIVE:
            state.patterns[0, black - 1] += change
        elif black == 0 and 0 < white < FIVE:
            state.patterns[1, white - 1] += change
    for first in range(REACH + 1):
        if state.points[line[first]] == FREE and state.points[line[first + FIVE]] == FREE:
            black, white = window(state, line, first + 1, FIVE - 1)
            if white == 0 and black >= 3:
                state.patterns[0, OPEN_THREE + black - 3] += change
            elif black == 0 and white >= 3:
                state.patterns[1, OPEN_THREE + white - 3] += change


@kernel
def put_stone(state, point, seat):
    """Put a stone on the board and keep count of the patterns."""
    for line in LINES[point]:
        tally(state, line, -1)
    state.points[point] = seat + 1
    state.stones += 1
    for line in LINES[point]:
        tally(state, line, 1)


@kernel
def in_five(state, point):
    """Whether the stone on a point is one of five or more in a row."""
    for line in LINES[point]:
        length = 1
        for way in (-1, 1):
            k = REACH + way
            while 0 <= k <= 2 * REACH and state.points[line[k]] == state.points[point]:
                length += 1
                k += way
        if length >= FIVE:
            return True
    return False


@kernel
def step(state, actions, noise):
    """The mover puts a stone; five in a row win, and a full board without them is a draw."""
    mover = state.turn
    point = actions[mover]
    put_stone(state, point, mover)
    state.last = point
    state.turn = 1 - mover
    if in_five(state, point):
        win(state, mover)
    elif state.stones == CELLS:
        state.turn = NOBODY


@kernel
def features(state, seat, out):
    """Own stones and the other's, row by row from the top left, own turn and the seat."""
    for cell in range(CELLS):
        stone = state.points[cell]
        out[cell] = stone == seat + 1
        out[CELLS + cell] = stone == 2 - seat
    out[2 * CELLS] = state.turn == seat
    out[2 * CELLS + 1] = seat


@kernel
def evaluate(state):
    """A four of the mover wins, an open four of the other's loses, an open three of the mover's nearly wins if there
    is no four to answer; else all patterns are weighed."""
    mover = state.turn
    sign, other = 1.0 - 2.0 * mover, 1 - mover
    if state.patterns[mover, FOUR]:
        return 0.99 * sign
    if state.patterns[other, OPEN_FOUR]:
        return -0.98 * sign
    weight = 0.0
    for kind in range(KINDS):
        weight += WORTH[kind] * (INITIATIVE * state.patterns[mover, kind] - state.patterns[other, kind])
    share = 0.05 * math.tanh(weight / SCALE)
    if state.patterns[other, FOUR] >= 2:
        return (share - 0.85) * sign
    if state.patterns[mover, OPEN_THREE] and not state.patterns[other, FOUR]:
        return (share + 0.85) * sign
    return 0.75 * math.tanh(weight / SCALE) * sign


@kernel
def candidates(state, seat, out):
    """Empty points near stones, those first that make or break the most; the middle of an empty board."""
    if state.stones == 0:
        out[0] = CELLS // 2
        return 1
    promise = np.empty(CELLS)
    n = 0
    for cell in range(CELLS):
        if state.points[cell] != FREE:
            continue
        near = False
        for point in AROUND[cell]:
            near = near or state.points[point] == 1 or state.points[point] == 2
        if near:
            worth = urgency(state, cell, seat)
            place = n
            while place > 0 and promise[place - 1] < worth:
                promise[place], out[place] = promise[place - 1], out[place - 1]
                place -= 1
            promise[place], out[place] = worth, cell
            n += 1
    return n if n else moves(state, seat, out)


@kernel
def urgency(state, cell, mover):
    """What windows a stone on this point would add to, own and the other's."""
    total = 0.0
    for line in LINES[cell]:
        for first in range(REACH - FIVE + 1, REACH + 1):
            black, white = window(state, line, first, FIVE)
            own, other = (black, white) if mover == 0 else (white, black)
            if other == 0:
                total += ORDER_OWN[own]
            elif own == 0:
                total += ORDER_OTHER[other]
    return total


KERNEL = Kernel(
    *(blank_state(FIELDS), CELLS, 2 * CELLS + 2, start, turn, moves, step, returns, features),
    evaluate=evaluate,
    candidates=candidates,
    depth=2,
    board=(SIDE, SIDE),
    symmetries=SQUARE,
)

EMPTY, BLACK, WHITE, _WALL = ".bw#"  # their places are the codes that `cells` gives and that points hold
NO_STONES = EMPTY * CELLS
_CODES, _SIGNS = bytes.maketrans(b".bw#", bytes(range(4))), bytes.maketrans(bytes(range(4)), b".bw#")


class GomokuView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 225 of EMPTY, BLACK and WHITE, row by row from A1 at the top left to O15
    mover: Seat | None  # None when the game is over
    last: int | None = None  # the point of the last move


def cells(view: GomokuView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board from the top: 0 for an empty point, 1 for a black stone, 2 for a white one."""
    codes = view.cells.encode().translate(_CODES)
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


@lru_cache(maxsize=256)
def fives(stones: str) -> tuple[tuple[int, ...], ...]:
    """All unbroken lines of five or more equal stones on any board; one move can complete several."""
    walled, found = stones + _WALL, []
    for cell, stone in enumerate(stones):
        for down, right in DIRECTIONS if stone != EMPTY else ():
            if walled[point_from(cell, -down, -right)] != stone:  # a line begins here
                line = [cell]
                while walled[beyond := point_from(line[-1], down, right)] == stone:
                    line.append(beyond)
                found += [tuple(line)] if len(line) >= FIVE else []
    return tuple(found)


@lru_cache(maxsize=64)
def legal_moves(stones: str) -> tuple[int, ...]:
    """The empty points of any board."""
    return KERNEL.legal(board_state(stones, 0), 0)


def board_state(stones: str, mover: Seat | None) -> RecordState:
    """Any board as a state. Patterns are not counted, so `evaluate` knows nothing of it."""
    points = np.frombuffer((stones + _WALL).encode().translate(_CODES), np.int8)
    return KERNEL.blank.replace(turn=NOBODY if mover is None else mover, last=NOWHERE, points=points)


class Gomoku(KernelGame[GomokuView]):
    kernel = KERNEL

    def view(self, state: RecordState, seat: Seat | None) -> GomokuView:
        mover, last = state.turn, state.last
        stones = state.array["points"].tobytes().translate(_SIGNS).decode()[:CELLS]
        return GomokuView(seat, stones, None if mover == NOBODY else mover, None if last == NOWHERE else last)
