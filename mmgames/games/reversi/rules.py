"""Reversi: the discs of a side are the bits of one number, cell 0 being A1 and cell 63 being H8."""

from functools import lru_cache, partial

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels import bitboard
from mmgames.kernels.bitboard import BLACK, CELLS, FIELDS, ONE, SIDE, WHITE, BitboardGame, BoardView, codes_of, set_up
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.records import blank_state
from mmgames.kernels.symmetries import HALF_TURN, TRANSPOSE
from mmgames.kernels.two_players import returns, turn

PASS = CELLS
WAYS = 8
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
START_BLACK = np.uint64(1 << 28 | 1 << 35)
START_WHITE = np.uint64(1 << 27 | 1 << 36)


@kernel
def start(state, noise):
    set_up(state, START_BLACK, START_WHITE)


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
    """The empty cells where a disc encloses some of the other's."""
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
def lead(state):
    """Black's discs less white's."""
    return count(state.pieces[0]) - count(state.pieces[1])


@kernel
def moves(state, seat, out):
    """Where discs can be enclosed; who can enclose nothing has to pass."""
    found = targets(state.pieces[seat], state.pieces[1 - seat])
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
def step(state, actions, noise):
    """All discs that the new one encloses turn over; when nobody can move any more, more discs win."""
    mover = state.turn
    action = actions[mover]
    state.turn = 1 - mover
    state.number += 1
    state.last = action
    if action == PASS:
        return
    own, other = state.pieces[mover], state.pieces[1 - mover]
    disc = ONE << np.uint64(action)
    turned = np.uint64(0)
    for way in range(WAYS):
        run = run_from(disc, other, way)
        if shift(run, way) & own:
            turned |= run
    own |= disc | turned
    other &= ~turned
    state.pieces[mover], state.pieces[1 - mover] = own, other
    if not targets(other, own) and not targets(own, other):
        state.turn = NOBODY
        ahead = lead(state)
        state.result = (ahead > 0) - (ahead < 0)


@kernel
def features(state, seat, out):
    """Own discs and the other's, row by row from the top left, own turn and the seat."""
    own, other = state.pieces[seat], state.pieces[1 - seat]
    for cell in range(CELLS):
        out[cell] = own >> np.uint64(cell) & ONE
        out[CELLS + cell] = other >> np.uint64(cell) & ONE
    out[2 * CELLS] = state.turn == seat
    out[2 * CELLS + 1] = seat


@kernel
def evaluate(state):
    """Black's moves and corners less white's: discs come and go, corners stay and moves are what they are won with."""
    black, white = state.pieces[0], state.pieces[1]
    freedom = count(targets(black, white)) - count(targets(white, black))
    corners = count(black & CORNERS) - count(white & CORNERS)
    return (freedom + CORNER_IN_MOVES * corners) / (2 * CELLS)


KERNEL = Kernel(
    *(blank_state(FIELDS), CELLS + 1, 2 * CELLS + 2, start, turn, moves, step, returns, features),
    most_moves=CELLS,
    evaluate=evaluate,
    depth=3,
    board=(SIDE, SIDE),
    symmetries=tuple((way, (0,)) for way in (HALF_TURN, TRANSPOSE, HALF_TURN | TRANSPOSE)),
)


class ReversiView(BoardView):
    """Cells go from A1 at the top left to H8; the last move is a cell or PASS."""

    __slots__ = ()

    @property
    def winner(self) -> Seat | None:
        """Who has more discs; None when both have as many."""
        lead = self.cells.count(BLACK) - self.cells.count(WHITE)
        return None if lead == 0 else int(lead < 0)


def cells(view: ReversiView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board from the top: 0 for an empty cell, 1 for a black disc, 2 for a white one."""
    return codes_of(view.cells)


@lru_cache(maxsize=64)
def legal_moves(cells: str, seat: Seat) -> tuple[int, ...]:
    """The moves of a seat on any board, in order; only PASS where it can enclose nothing."""
    return KERNEL.legal(board_state(cells, seat), seat)


board_state = partial(bitboard.board_state, KERNEL)


class Reversi(BitboardGame):
    kernel = KERNEL
    board_view = ReversiView
