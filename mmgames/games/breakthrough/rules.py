"""Breakthrough: kernel.py has the rules; the view is the board."""

from __future__ import annotations

from functools import lru_cache, partial

from mmgames.core.game import Seat
from mmgames.games.breakthrough.kernel import KERNEL, NUM_WAYS, WAYS
from mmgames.kernels import bitboard
from mmgames.kernels.bitboard import BLACK, SIDE, WHITE, BitboardGame, BoardView, codes_of


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
    return KERNEL.legal(row_of(cells, seat), seat)


row_of = partial(bitboard.row_of, KERNEL)


class Breakthrough(BitboardGame):
    kernel = KERNEL
    board_view = BreakthroughView
