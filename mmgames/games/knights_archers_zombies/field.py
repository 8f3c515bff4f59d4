"""KnightsArchersZombies: how large everything is, how it turns, and what players see of it.

All is in pixels of the field, (0, 0) at the top left. What stands or flies there is told by the corner of its square.
"""

import math
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels.records import RecordState

WIDE, HIGH, WALL = 1280, 720, 100
"""The field, and the walls on the left and on the right of it."""
BODY, ZOMBIE_WIDE, ZOMBIE_HIGH, ARROW_SIDE, SWORD_SIDE = 32, 29, 31, 46, 32
SIDES = np.array([32, 37, 41, 43, 45, 45, 43, 41, 37] * 4)
"""How wide and high the square around a player is, by its heading."""

FULL, QUARTER = 2.0 * math.pi, math.pi / 2.0


def turned(degrees: float) -> tuple[float, float]:
    """Cosine and sine, exact for quarters."""
    angle = math.fmod(degrees * math.pi / 180.0, FULL)
    angle += FULL if angle < 0.0 else 0.0
    if math.fmod(angle + 1e-6, QUARTER) < 2e-6:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int((angle + 1e-6) / QUARTER) % 4]
    return math.cos(angle), math.sin(angle)


TURNS = np.array([turned(-10.0), turned(10.0)])


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
    """The seat, the roles and the state; nothing is hidden (`seat` is None for a spectator)."""

    seat: Seat | None
    roles: tuple[str, ...]
    state: RecordState

    @property
    def archers(self) -> int:
        return self.state.archers

    @property
    def is_over(self) -> bool:
        return self.state.over

    @property
    def step(self) -> int:
        return self.state.step

    @property
    def horizon(self) -> int:
        return self.state.horizon

    def player(self, seat: Seat) -> Player:
        them = self.state.array["players"]
        me = dict(zip(them.dtype.names or (), them[0, seat].item(), strict=True))
        half, blade = int(SIDES[me["heading"]]) // 2, SWORD_SIDE // 2
        at, sword = (me["x"] + half, me["y"] + half), (me["sword_x"] + blade, me["sword_y"] + blade)
        return Player(at, 10 * me["heading"], me["alive"], me["waits"], sword if me["swing"] else None, me["kills"])

    @property
    def zombies(self) -> tuple[Point, ...]:
        """Their middles, the eldest first."""
        them = self.state.array["zombies"][0, : self.state.walking]
        corners = zip(them["x"].tolist(), them["y"].tolist(), strict=True)
        return tuple((x + ZOMBIE_WIDE // 2, y + ZOMBIE_HIGH // 2) for x, y in corners)

    @property
    def arrows(self) -> tuple[tuple[Point, int], ...]:
        """Their middles, and where they fly in degrees clockwise from up."""
        them, half = self.state.array["arrows"][0, : self.state.flying], ARROW_SIDE // 2
        ways = (round(way) % 360 for way in np.degrees(np.arctan2(them["right"], -them["down"])).tolist())
        corners = zip(them["x"].tolist(), them["y"].tolist(), strict=True)
        return tuple(((x + half, y + half), way) for (x, y), way in zip(corners, ways, strict=True))


def roles(archers: int, knights: int) -> tuple[str, ...]:
    return (
        *(f"archer_{number + 1}" for number in range(archers)),
        *(f"knight_{number + 1}" for number in range(knights)),
    )
