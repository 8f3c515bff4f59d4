"""Minesweeper: mines are laid when the first cell is opened; a zero opens its neighbours."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.games.minesweeper.beliefs import Beliefs
from mmgames.games.minesweeper.field import HIDDEN, MINE, neighbours

LEVELS = {"8x8": (8, 10), "12x12": (12, 30), "16x16": (16, 40)}  # side of the field, mines


class MinesweeperState(NamedTuple):
    cells: tuple[int, ...]  # HIDDEN, a number of neighbouring mines, or MINE; row by row from the top left
    mines: tuple[int, ...] = ()  # where they are, in order; none before the first cell is opened
    flags: tuple[int, ...] = ()  # closed cells that are marked, in order
    last: int | None = None  # the cell of the last move
    hit: int | None = None  # the mine that was opened


class MinesweeperView(NamedTuple):
    """The field as the player sees it. It need not be reachable by play: questions about fields show mines as well."""

    seat: Seat | None
    side: int
    total: int  # mines on the field
    cells: tuple[int, ...]
    mover: Seat | None  # None when the game is over
    flags: tuple[int, ...] = ()
    last: int | None = None
    hit: int | None = None
    first: str = "safe"  # what is known of the first cell: see the option
    mines: tuple[int, ...] = ()  # where they are, for the spectator only


def cells(view: MinesweeperView) -> tuple[tuple[int, ...], ...]:
    """The rows of the field: -1 for a closed cell (flagged or not), 0 to 8 for a number, 9 for a shown mine."""
    return tuple(view.cells[first : first + view.side] for first in range(0, len(view.cells), view.side))


@lru_cache(maxsize=4096)
def legal_moves(cells: tuple[int, ...], flags: tuple[int, ...]) -> tuple[int, ...]:
    """Every closed cell may be opened, and flagged if it is not."""
    closed = [cell for cell, shown in enumerate(cells) if shown == HIDDEN]
    return (*closed, *[len(cells) + cell for cell in closed if cell not in flags])


class Minesweeper(Game[MinesweeperState, MinesweeperView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.side, self.total = LEVELS[self.options["level"]]
        self.first = self.options["first"]
        self.size = self.side * self.side

    @property
    def num_actions(self) -> int:
        return 2 * self.size

    def start(self, rng: np.random.Generator) -> MinesweeperState:
        return MinesweeperState((HIDDEN,) * self.size)

    def movers(self, state: MinesweeperState) -> tuple[Seat, ...]:
        return () if state.hit is not None or self.won(state) else (0,)

    def won(self, state: MinesweeperState) -> bool:
        return state.hit is None and state.cells.count(HIDDEN) == self.total

    def legal(self, state: MinesweeperState, seat: Seat) -> Sequence[int]:
        return legal_moves(state.cells, state.flags)

    def play(self, state: MinesweeperState, actions: Mapping[Seat, int], rng: np.random.Generator) -> MinesweeperState:
        flagging, cell = divmod(actions[0], self.size)
        if flagging:
            return state._replace(flags=tuple(sorted((*state.flags, cell))), last=cell)
        mines = state.mines or self._lay(cell, rng)
        shown = list(state.cells)
        if cell in mines:
            for mine in mines:
                shown[mine] = MINE
            flags = tuple(flag for flag in state.flags if flag not in mines)
            return MinesweeperState(tuple(shown), mines, flags, cell, hit=cell)
        self._open(cell, mines, shown)
        flags = tuple(flag for flag in state.flags if shown[flag] == HIDDEN)
        opened = MinesweeperState(tuple(shown), mines, flags, cell)
        return opened._replace(flags=mines) if self.won(opened) else opened

    def _lay(self, cell: int, rng: np.random.Generator) -> tuple[int, ...]:
        free = {cell, *(neighbours(self.side)[cell] if self.first == "zero" else ())}
        ground = [place for place in range(self.size) if place not in free]
        return tuple(sorted(rng.choice(ground, self.total, replace=False).tolist()))

    def _open(self, cell: int, mines: tuple[int, ...], shown: list[int]) -> None:
        around, waiting = neighbours(self.side), [cell]
        while waiting:
            cell = waiting.pop()
            if shown[cell] == HIDDEN:
                shown[cell] = sum(place in mines for place in around[cell])
                if shown[cell] == 0:
                    waiting += around[cell]

    def returns(self, state: MinesweeperState) -> Sequence[float]:
        return (1.0 if self.won(state) else 0.0,)

    def view(self, state: MinesweeperState, seat: Seat | None) -> MinesweeperView:
        return MinesweeperView(
            *(seat, self.side, self.total, state.cells, 0 if self.movers(state) else None),
            *(state.flags, state.last, state.hit, self.first),
            mines=() if seat is not None else state.mines,
        )

    def imagine(self, state: MinesweeperState, seat: Seat, rng: np.random.Generator) -> MinesweeperState:
        """The mines anywhere they can be: all placements that agree with the shown numbers are equally likely."""
        if not state.mines or not self.movers(state):
            return state
        return state._replace(mines=Beliefs(self.side, self.total, state.cells).sample(rng))

    def events(self, state: MinesweeperState) -> Mapping[str, int]:
        flags = 0 if self.won(state) else len(state.flags)  # a won field flags its mines by itself
        return {"opened": sum(0 <= shown < MINE for shown in state.cells), "flags": flags}
