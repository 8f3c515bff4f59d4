"""Reversi: kernel.py has the rules; the view is the board."""

from __future__ import annotations

from functools import lru_cache, partial

from mmgames.core.game import Seat
from mmgames.games.reversi.kernel import KERNEL
from mmgames.kernels import bitboard
from mmgames.kernels.bitboard import BLACK, WHITE, BitboardGame, BoardView, codes_of


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
    return KERNEL.legal(row_of(cells, seat), seat)


row_of = partial(bitboard.row_of, KERNEL)


class Reversi(BitboardGame):
    kernel = KERNEL
    board_view = ReversiView
