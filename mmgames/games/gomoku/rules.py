"""Gomoku: a stone on any empty point; five or more in a line win. board.py has the same rules once more, for search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat

if TYPE_CHECKING:
    from mmgames.core.board import Board

SIDE = 15
CELLS = SIDE * SIDE
FIVE = 5
EMPTY, BLACK, WHITE = ".bw"  # their places are the codes that `cells` gives
STONE_OF_SEAT = (BLACK, WHITE)
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down, columns right
NO_STONES = EMPTY * CELLS


def _ray(cell: int, down: int, right: int) -> tuple[int, ...]:
    """The points from the next one to the edge of the board, one way."""
    row, column = divmod(cell, SIDE)
    found = []
    while 0 <= (row := row + down) < SIDE and 0 <= (column := column + right) < SIDE:
        found.append(row * SIDE + column)
    return tuple(found)


# For each point its four lines, each as the rays to both sides.
_LINES_THROUGH = tuple(
    tuple((_ray(cell, -down, -right), _ray(cell, down, right)) for down, right in DIRECTIONS) for cell in range(CELLS)
)


class GomokuState(NamedTuple):
    history: tuple[int, ...] = ()
    cells: str = NO_STONES
    winner: Seat | None = None


class GomokuView(NamedTuple):
    """The board as both players see it. It need not be reachable by play: questions about boards make their own."""

    seat: Seat | None
    cells: str  # 225 of EMPTY, BLACK and WHITE, row by row from A15 at the top left to O1
    mover: Seat | None  # None when the game is over
    last: int | None = None  # the point of the last move


def cells(view: GomokuView) -> tuple[tuple[int, ...], ...]:
    """The rows of the board from the top: 0 for an empty point, 1 for a black stone, 2 for a white one."""
    codes = ["bw".find(stone) + 1 for stone in view.cells]
    return tuple(tuple(codes[first : first + SIDE]) for first in range(0, CELLS, SIDE))


def lines_at(stones: str, cell: int) -> list[tuple[int, ...]]:
    """The unbroken lines of equal stones through a stone, one per direction, its own point among them."""
    stone, lines = stones[cell], []
    for rays in _LINES_THROUGH[cell]:
        line = [cell]
        for ray in rays:
            for point in ray:
                if stones[point] != stone:
                    break
                line.append(point)
        lines.append(tuple(sorted(line)))
    return lines


@lru_cache(maxsize=256)
def fives(stones: str) -> tuple[tuple[int, ...], ...]:
    """All lines of five or more equal stones on any board; one move can complete several."""
    found = {}
    for cell, stone in enumerate(stones):
        if stone != EMPTY:
            found.update(dict.fromkeys(line for line in lines_at(stones, cell) if len(line) >= FIVE))
    return tuple(found)


@lru_cache(maxsize=64)
def legal_moves(stones: str) -> tuple[int, ...]:
    """The empty points of any board."""
    return tuple([cell for cell, stone in enumerate(stones) if stone == EMPTY])


class Gomoku(Game[GomokuState, GomokuView]):
    @property
    def num_actions(self) -> int:
        return CELLS

    @property
    def board(self) -> Board:
        """The rules as kernels, imported when a search asks for them."""
        from mmgames.games.gomoku.board import BOARD

        return BOARD

    def start(self, rng: np.random.Generator) -> GomokuState:
        return GomokuState()

    def movers(self, state: GomokuState) -> tuple[Seat, ...]:
        made = len(state.history)
        return () if state.winner is not None or made == CELLS else (made % 2,)

    def legal(self, state: GomokuState, seat: Seat) -> Sequence[int]:
        return legal_moves(state.cells)

    def play(self, state: GomokuState, actions: Mapping[Seat, int], rng: np.random.Generator) -> GomokuState:
        seat = len(state.history) % 2
        cell = actions[seat]
        stones = state.cells[:cell] + STONE_OF_SEAT[seat] + state.cells[cell + 1 :]
        won = any(len(line) >= FIVE for line in lines_at(stones, cell))
        return GomokuState((*state.history, cell), stones, seat if won else None)

    def returns(self, state: GomokuState) -> Sequence[float]:
        if state.winner is None:
            return (0.0, 0.0)
        return (1.0, -1.0) if state.winner == 0 else (-1.0, 1.0)

    def view(self, state: GomokuState, seat: Seat | None) -> GomokuView:
        movers = self.movers(state)
        last = state.history[-1] if state.history else None
        return GomokuView(seat, state.cells, movers[0] if movers else None, last)
