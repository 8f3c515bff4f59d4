"""TicTacToe: OpenSpiel keeps the rules; the view is the board. board.py has the same rules once more, for search."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmgames.core.game import Seat
from mmgames.core.spiel import SpielGame, SpielState

if TYPE_CHECKING:
    from mmgames.core.board import Board

SIDE = 3
CELLS = SIDE * SIDE
EMPTY, NOUGHT, CROSS = -1, 0, 1
MARK_OF_SEAT = (CROSS, NOUGHT)

ROWS = tuple(tuple(range(first, first + SIDE)) for first in range(0, CELLS, SIDE))
COLUMNS = tuple(zip(*ROWS, strict=True))
LINES = (*ROWS, *COLUMNS, (0, 4, 8), (2, 4, 6))


class TicTacToeView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: tuple[int, ...]  # EMPTY, NOUGHT or CROSS; row by row from the top left
    mover: Seat | None  # None when the game is over
    last: int | None = None  # the cell of the last move


def cells(view: TicTacToeView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board: -1 for an empty cell, 0 for O, 1 for X."""
    return tuple(view.cells[row[0] : row[0] + SIDE] for row in ROWS)


def full_lines(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The lines that hold three equal marks; one move can complete two."""
    return [line for line in LINES if cells[line[0]] != EMPTY and len({cells[cell] for cell in line}) == 1]


class TicTacToe(SpielGame[TicTacToeView]):
    engine_name = "tic_tac_toe"

    @property
    def board(self) -> Board:
        """The rules as kernels, imported when a search asks for them."""
        from mmgames.games.tic_tac_toe.board import BOARD

        return BOARD

    def view(self, state: SpielState, seat: Seat | None) -> TicTacToeView:
        moves = state.spiel.history()
        cells = [EMPTY] * CELLS
        for number, cell in enumerate(moves):
            cells[cell] = MARK_OF_SEAT[number % 2]
        movers = self.movers(state)
        return TicTacToeView(seat, tuple(cells), movers[0] if movers else None, moves[-1] if moves else None)
