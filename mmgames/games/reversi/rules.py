"""Reversi: OpenSpiel keeps the rules; the view is the board. board.py has the same rules once more, for search."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mmgames.core.game import Seat
from mmgames.core.spiel import SpielGame, SpielState

if TYPE_CHECKING:
    from mmgames.core.board import Board

SIDE = 8
CELLS = SIDE * SIDE
PASS = CELLS
EMPTY, BLACK, WHITE = ".bw"  # their places are the codes that `cells` gives
DISC_OF_SEAT = (BLACK, WHITE)

_ALL = 2**CELLS - 1
_COLUMN_1 = sum(1 << row * SIDE for row in range(SIDE))
_COLUMN_8 = _COLUMN_1 << SIDE - 1
# How far a step goes and on which cells it can end, for four directions; the other four are their opposites.
_STEPS = tuple(
    (shift, _ALL & ~forward_never, _ALL & ~back_never)
    for shift, forward_never, back_never in (
        (1, _COLUMN_1, _COLUMN_8),
        (SIDE - 1, _COLUMN_8, _COLUMN_1),
        (SIDE, 0, 0),
        (SIDE + 1, _COLUMN_1, _COLUMN_8),
    )
)
_FROM_OPENSPIEL = str.maketrans("-xo", EMPTY + BLACK + WHITE)


class ReversiView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 64 of EMPTY, BLACK and WHITE, row by row from A1 at the top left to H8
    mover: Seat | None  # None when the game is over
    number: int = 0  # moves made so far, passes among them
    last: int | None = None  # the last move: a cell or PASS

    @property
    def winner(self) -> Seat | None:
        """Who has more discs; None when both have as many."""
        lead = self.cells.count(BLACK) - self.cells.count(WHITE)
        return None if lead == 0 else int(lead < 0)


def cells(view: ReversiView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board from the top: 0 for an empty cell, 1 for a black disc, 2 for a white one."""
    codes = ["bw".find(disc) + 1 for disc in view.cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


@lru_cache(maxsize=64)
def legal_moves(cells: str, seat: Seat) -> tuple[int, ...]:
    """The moves of a seat on any board, in order; only PASS where it can enclose nothing."""
    own, other = (int("".join(["01"[disc == kind] for disc in reversed(cells)]), 2) for kind in _kinds(seat))
    found = 0
    for shift, forward, back in _STEPS:
        run = own << shift & forward & other
        for _ in range(SIDE - 3):
            run |= run << shift & forward & other
        found |= run << shift & forward
        run = own >> shift & back & other
        for _ in range(SIDE - 3):
            run |= run >> shift & back & other
        found |= run >> shift & back
    found &= ~(own | other)
    return tuple([cell for cell in range(CELLS) if found >> cell & 1]) or (PASS,)


def _kinds(seat: Seat) -> tuple[str, str]:
    return DISC_OF_SEAT[seat], DISC_OF_SEAT[1 - seat]


class Reversi(SpielGame[ReversiView]):
    engine_name = "othello"

    @property
    def board(self) -> Board:
        """The rules as kernels, imported when a search asks for them."""
        from mmgames.games.reversi.board import BOARD

        return BOARD

    def view(self, state: SpielState, seat: Seat | None) -> ReversiView:
        lines = str(state.spiel).split("\n")[2 : 2 + SIDE]
        cells = "".join([line[2 : 2 + 2 * SIDE : 2] for line in lines]).translate(_FROM_OPENSPIEL)
        moves = state.spiel.history()
        movers = self.movers(state)
        return ReversiView(seat, cells, movers[0] if movers else None, len(moves), moves[-1] if moves else None)
