"""Breakthrough: the pieces of a side are bits of one number, cell 0 being a8, cell 63 being h1."""

from functools import lru_cache, partial

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels import bitboard
from mmgames.kernels.bitboard import (
    BLACK,
    CELLS,
    FIELDS,
    ONE,
    SIDE,
    WHITE,
    BitboardGame,
    BoardView,
    cell_of,
    codes_of,
    set_up,
)
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import Kernel
from mmgames.kernels.records import blank_state
from mmgames.kernels.symmetries import FLIP_COLUMNS
from mmgames.kernels.two_players import returns, turn, win

# Rows down and columns right: black's three ways, then white's. Moves are numbered by cell, then way, then whether they
# capture.
WAYS = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1))
DOWN_LEFT, DOWN, DOWN_RIGHT, UP_LEFT, UP, UP_RIGHT = range(len(WAYS))
NUM_WAYS = len(WAYS)
NUM_ACTIONS = CELLS * NUM_WAYS * 2
MOST_MOVES = 16 * 3  # sixteen pieces, three ways each

TOP_TWO = np.uint64(0x0000_0000_0000_FFFF)
BOTTOM_TWO = np.uint64(0xFFFF_0000_0000_0000)
NOT_ON_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_ON_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
STEPS = np.array([down * SIDE + right for down, right in WAYS])


@kernel
def start(state, noise):
    set_up(state, TOP_TWO, BOTTOM_TWO)


@kernel
def list_moves(targets, other, way, out, n):
    """Add the moves that lead one way to these cells."""
    while targets:
        lone = targets & (~targets + ONE)
        targets ^= lone
        capture = np.int64((lone & other) != 0)
        out[n] = ((cell_of(lone) - STEPS[way]) * NUM_WAYS + way) * 2 + capture
        n += 1
    return n


@kernel
def moves(state, seat, out):
    """Captures among the steps to a side come before steps ahead."""
    black, white = state.pieces[0], state.pieces[1]
    empty = ~(black | white)
    if seat == 0:
        n = list_moves(((black & NOT_ON_A) << np.uint64(7)) & ~black, white, DOWN_LEFT, out, 0)
        n = list_moves(((black & NOT_ON_H) << np.uint64(9)) & ~black, white, DOWN_RIGHT, out, n)
        return list_moves((black << np.uint64(8)) & empty, white, DOWN, out, n)
    n = list_moves(((white & NOT_ON_A) >> np.uint64(9)) & ~white, black, UP_LEFT, out, 0)
    n = list_moves(((white & NOT_ON_H) >> np.uint64(7)) & ~white, black, UP_RIGHT, out, n)
    return list_moves((white >> np.uint64(8)) & empty, black, UP, out, n)


@kernel
def step(state, actions, noise):
    """A piece goes on and captures what it meets; one that has come through wins, and so do the only pieces left."""
    mover = state.turn
    other = 1 - mover
    action = actions[mover]
    source = action // 2 // NUM_WAYS
    target = source + STEPS[action // 2 % NUM_WAYS]
    entered = ONE << np.uint64(target)
    state.pieces[mover] ^= (ONE << np.uint64(source)) | entered
    state.pieces[other] &= ~entered
    state.number += 1
    state.last = action
    state.turn = other
    through = target >= CELLS - SIDE if mover == 0 else target < SIDE
    if through or state.pieces[other] == 0:
        win(state, mover)


@kernel
def features(state, seat, out):
    """Own pieces and the other's, row by row from the own side's far row, own turn and the seat."""
    own, other = state.pieces[seat], state.pieces[1 - seat]
    for cell in range(CELLS):
        seen = np.uint64(cell if seat else (SIDE - 1 - cell // SIDE) * SIDE + cell % SIDE)
        out[cell] = own >> seen & ONE
        out[CELLS + cell] = other >> seen & ONE
    out[2 * CELLS] = state.turn == seat
    out[2 * CELLS + 1] = seat


@kernel
def evaluate(state):
    """How far black's foremost piece has come less how far white's has, over the seven steps across the board."""
    black, white = state.pieces[0], state.pieces[1]
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
    *(blank_state(FIELDS), NUM_ACTIONS, 2 * CELLS + 2, start, turn, moves, step, returns, features),
    most_moves=MOST_MOVES,
    evaluate=evaluate,
    depth=5,
    board=(SIDE, SIDE),
    point=point,
    symmetries=((FLIP_COLUMNS, (2, 1, 0)),),
)


class BreakthroughView(BoardView):
    """Cells go from a8 at the top left to h1."""

    __slots__ = ()

    @property
    def winner(self) -> Seat | None:
        """Who stands on the far row or has taken everything."""
        if BLACK in self.cells[-SIDE:] or WHITE not in self.cells:
            return 0
        return 1 if WHITE in self.cells[:SIDE] or BLACK not in self.cells else None


def cells(view: BreakthroughView) -> tuple[tuple[int, ...], ...]:
    """The ranks from 8 to 1, each from file a to h: 0 for an empty square, 1 for a black piece, 2 for a white one."""
    return codes_of(view.cells)


def ends(action: int) -> tuple[int, int]:
    """The cells a move leads from and to."""
    source, way = divmod(action // 2, NUM_WAYS)
    down, right = WAYS[way]
    return source, source + down * SIDE + right


def captures(action: int) -> bool:
    return action % 2 == 1


@lru_cache(maxsize=64)
def legal_moves(cells: str, seat: Seat) -> tuple[int, ...]:
    """The moves of a seat on any board, in order. An observation asks for them several times."""
    return KERNEL.legal(board_state(cells, seat), seat)


board_state = partial(bitboard.board_state, KERNEL)


class Breakthrough(BitboardGame):
    kernel = KERNEL
    board_view = BreakthroughView
