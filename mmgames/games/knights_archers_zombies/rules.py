"""KnightsArchersZombies: the rules are kernel.py; a view is the whole row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.knights_archers_zombies import kernel as compiled
from mmgames.games.knights_archers_zombies.observed import LINE, features
from mmgames.games.knights_archers_zombies.row import (
    ACTIONS,
    ALIVE,
    ARCHERS,
    ARROW,
    ARROWS,
    FIELDS,
    HEADING,
    HORIZON,
    KNIGHTS,
    MOST_ARROWS,
    MOST_ZOMBIES,
    OVER,
    PLAYER,
    SCORE,
    SIDES,
    STEP,
    SWING,
    SWORD,
    SWORD_X,
    SWORD_Y,
    THING,
    TIMER,
    ZOMBIE_HIGH,
    ZOMBIE_WIDE,
    ZOMBIES,
    X,
    Y,
)
from mmgames.kernels.kernel_game import ROW, Kernel, KernelGame, RowState

Point = tuple[int, int]


class Player(NamedTuple):
    """A player by its middle; `sword` is the middle of the sword that it swings, None if it has none out."""

    at: Point
    heading: int
    alive: bool
    waits: int
    sword: Point | None
    kills: int


class BattleView(NamedTuple):
    """The seat and the row; nothing is hidden (`seat` is None for a spectator)."""

    seat: Seat | None
    row: tuple[int, ...]

    @property
    def archers(self) -> int:
        return self.row[ARCHERS]

    @property
    def roles(self) -> tuple[str, ...]:
        return roles(self.row[ARCHERS], self.row[KNIGHTS])

    @property
    def is_over(self) -> bool:
        return bool(self.row[OVER])

    @property
    def step(self) -> int:
        return self.row[STEP]

    @property
    def horizon(self) -> int:
        return self.row[HORIZON]

    def player(self, seat: Seat) -> Player:
        me = self.row[PLAYER + FIELDS * seat : PLAYER + FIELDS * (seat + 1)]
        half = int(SIDES[me[HEADING]]) // 2
        sword = (me[SWORD_X] + SWORD // 2, me[SWORD_Y] + SWORD // 2) if me[SWING] else None
        return Player((me[X] + half, me[Y] + half), me[HEADING] * 10, bool(me[ALIVE]), me[TIMER], sword, me[SCORE])

    @property
    def zombies(self) -> tuple[Point, ...]:
        """Their middles, the eldest first."""
        first = PLAYER + FIELDS * len(self.roles)
        corners = (first + THING * which for which in range(self.row[ZOMBIES]))
        return tuple((self.row[at] + ZOMBIE_WIDE // 2, self.row[at + 1] + ZOMBIE_HIGH // 2) for at in corners)

    @property
    def arrows(self) -> tuple[tuple[Point, int], ...]:
        """Their middles, and where they fly in degrees clockwise from up."""
        players = len(self.roles)
        first = PLAYER + FIELDS * players + THING * self.row[MOST_ZOMBIES]
        flights = first + THING * self.row[MOST_ARROWS] + 2 * players
        found = []
        for which in range(self.row[ARROWS]):
            at = first + THING * which
            way = np.array(self.row[flights + 2 * which : flights + 2 * which + 2], ROW).view(np.float64)
            degrees = round(float(np.degrees(np.arctan2(way[0], -way[1]))))
            found.append(((self.row[at] + ARROW // 2, self.row[at + 1] + ARROW // 2), degrees % 360))
        return tuple(found)


def roles(archers: int, knights: int) -> tuple[str, ...]:
    return (
        *(f"archer_{number + 1}" for number in range(archers)),
        *(f"knight_{number + 1}" for number in range(knights)),
    )


class KnightsArchersZombies(KernelGame[BattleView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen = self.options
        archers, knights, zombies, arrows = (
            chosen[name] for name in ("archers", "knights", "most_zombies", "most_arrows")
        )
        players, reals = archers + knights, 2 * (archers + knights + arrows)
        self.kernel = Kernel(
            width=PLAYER + FIELDS * players + THING * (zombies + arrows) + reals,
            num_actions=ACTIONS,
            num_features=LINE * (1 + players + knights + arrows + zombies),
            start=compiled.start,
            turn=compiled.turn,
            moves=compiled.moves,
            step=compiled.step,
            returns=compiled.returns,
            features=features,
            settings=(archers, knights, zombies, arrows, chosen["delay"], int(chosen["deadly"]), chosen["horizon"]),
            num_reals=reals,
        )
        self.settle(seats=roles(archers, knights), length=chosen["horizon"])

    def view(self, state: RowState, seat: Seat | None) -> BattleView:
        return BattleView(seat, tuple(state.row.tolist()))

    def outcome(self, state: RowState) -> tuple[int, ...]:
        return tuple(state.row.tolist())

    def events(self, state: RowState) -> Mapping[str, int]:
        return {f"{role} kills": int(state.row[PLAYER + FIELDS * seat + SCORE]) for seat, role in enumerate(self.seats)}
