"""Breakthrough: OpenSpiel keeps the rules; the view is the board. board.py has the same rules once more, for search."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mmgames.core.game import Seat
from mmgames.core.spiel import SpielGame, SpielState

if TYPE_CHECKING:
    from mmgames.core.board import Board

SIDE = 8
CELLS = SIDE * SIDE
EMPTY, BLACK, WHITE = ".bw"
PIECE_OF_SEAT = (BLACK, WHITE)
WAYS = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1))  # rows down, columns right: black's three, then white's
NUM_ACTIONS = CELLS * len(WAYS) * 2


class BreakthroughView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 64 of EMPTY, BLACK and WHITE, row by row from a8 at the top left to h1
    mover: Seat | None  # None when the game is over
    number: int = 0  # moves made so far
    last: int | None = None  # the last move

    @property
    def winner(self) -> Seat | None:
        """Who stands on the far row or has taken everything."""
        if BLACK in self.cells[-SIDE:] or WHITE not in self.cells:
            return 0
        return 1 if WHITE in self.cells[:SIDE] or BLACK not in self.cells else None


def cells(view: BreakthroughView) -> tuple[tuple[int, ...], ...]:
    """The ranks from 8 to 1, each from file a to h: 0 for an empty square, 1 for a black piece, 2 for a white one."""
    codes = [(EMPTY, BLACK, WHITE).index(piece) for piece in view.cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


def ends(action: int) -> tuple[int, int]:
    """The cells a move leads from and to. OpenSpiel numbers moves by cell, then way, then whether they capture."""
    source, way = divmod(action // 2, len(WAYS))
    down, right = WAYS[way]
    return source, source + down * SIDE + right


def captures(action: int) -> bool:
    return action % 2 == 1


def _ways_from(seat: Seat, source: int) -> tuple[tuple[int, int, int | None], ...]:
    """Target, the move to it when it is empty, and the move that captures there if one can."""
    ways = []
    for way in range(3 * seat, 3 * seat + 3):
        down, right = WAYS[way]
        row, column = source // SIDE + down, source % SIDE + right
        if 0 <= row < SIDE and 0 <= column < SIDE:
            step = (source * len(WAYS) + way) * 2
            ways.append((row * SIDE + column, step, step + 1 if right else None))
    return tuple(ways)


_WAYS_FROM = tuple(tuple(_ways_from(seat, source) for source in range(CELLS)) for seat in (0, 1))


@lru_cache(maxsize=64)
def legal_moves(cells: str, seat: Seat) -> tuple[int, ...]:
    """The moves of a seat on any board, in OpenSpiel's order. An observation asks for them several times."""
    own, other = PIECE_OF_SEAT[seat], PIECE_OF_SEAT[1 - seat]
    ways_from = _WAYS_FROM[seat]
    found = []
    for source, piece in enumerate(cells):
        if piece == own:
            for target, step, capture in ways_from[source]:
                there = cells[target]
                if there == EMPTY:
                    found.append(step)
                elif there == other and capture is not None:
                    found.append(capture)
    return tuple(found)


class Breakthrough(SpielGame[BreakthroughView]):
    engine_name = "breakthrough"

    @property
    def board(self) -> Board:
        """The rules as kernels, imported when a search asks for them."""
        from mmgames.games.breakthrough.board import BOARD

        return BOARD

    def view(self, state: SpielState, seat: Seat | None) -> BreakthroughView:
        cells = "".join(line[1:] for line in str(state.spiel).split("\n")[:SIDE])
        moves = state.spiel.history()
        movers = self.movers(state)
        return BreakthroughView(seat, cells, movers[0] if movers else None, len(moves), moves[-1] if moves else None)
