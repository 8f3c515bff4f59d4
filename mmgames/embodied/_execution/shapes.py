"""Things as simple solids that a gripper can take, blocks and upright drums, dishes with walls; and cupboards.

A cupboard stands at the side of furniture and has no roof: three walls, so low that a hand that takes something between
them does not sit on them, and a door that slides by its handle.
"""

import math
from typing import NamedTuple

import numpy as np

from mmgames.embodied._control.scene import standing
from mmgames.embodied._scenes.solids import Box, read
from mmgames.embodied._world.names import DISHES, FIXTURES, OPENABLE, TOOLS, base

WALL = 0.012  # how thick the walls of dishes are, in metres: they are taken by one of them


CUPBOARD, COMPARTMENT = 0.14, 0.32
"""How tall and wide cabinets and drawers are inside, in metres. They have a sliding door in front and no roof."""

DEEP = 0.24
"""Things lie so far from the edge of furniture at which robots stand, in metres: no arm reaches much further."""

SLIDE = COMPARTMENT - 0.01  # how far the door goes


class Part(NamedTuple):
    """A block (`size` is its whole length, width and height) or a drum (diameter twice, height) of a thing."""

    size: tuple[float, float, float]
    at: tuple[float, float, float]  # its middle, from the middle of the thing's foot
    round: bool = False


class Grip(NamedTuple):
    """Where a thing can be taken from above: a point from its foot, and the lines along which fingers may close."""

    point: tuple[float, float, float]
    closing: tuple[float, ...]  # radians, from the thing's own x


class Shape(NamedTuple):
    parts: tuple[Part, ...]
    grips: tuple[Grip, ...]
    radius: float  # of the circle on which it stands
    tall: float
    mass: float
    floor: float = 0.0  # how high what lies in it is, and how large the room for that
    room: tuple[float, float] = (0.0, 0.0)


ROUND, DISH_SIZES, CUPBOARD_PARTS = (read("things", __package__)[name] for name in ("round", "dishes", "cupboard"))
"""Diameter and height of what stands upright, which never rolls; length, width and height of dishes; the walls of a
cupboard and its door as they lie in its frame, and the top of the door's handle."""

ANY_WAY = tuple(0.3927 * i for i in range(8))


def shape(name: str) -> Shape:
    """What a thing is made of here."""
    what = base(name)
    if what in DISHES or what in DISH_SIZES:
        long, wide, tall = DISH_SIZES.get(what, (0.19, 0.19, 0.045))
        return dish(long, wide, tall, fixed=what in FIXTURES)
    if what in OPENABLE:
        return Shape((), (), 0.17, CUPBOARD, 0.0, 0.0, (COMPARTMENT - 0.06, 0.16))
    if what in FIXTURES:
        return block(0.5, 0.45, 0.6)
    if what in ROUND:
        across, tall = ROUND[what]
        drum = Part((across, across, tall), (0, 0, tall / 2), True)
        return Shape((drum,), (Grip((0, 0, _grip_height(tall)), ANY_WAY),), across / 2, tall, 0.1)
    return block(0.16, 0.02, 0.022) if what in TOOLS else block(0.09, 0.045, 0.045)


def block(long: float, wide: float, tall: float) -> Shape:
    grip = Grip((0, 0, _grip_height(tall)), (1.5708,))
    return Shape((Part((long, wide, tall), (0, 0, tall / 2)),), (grip,), long / 2, tall, 0.1)


def dish(long: float, wide: float, tall: float, fixed: bool) -> Shape:
    """A floor and four walls, which are also what it is taken by."""
    parts = [Part((long, wide, 0.01), (0, 0, 0.005))]
    grips = []
    for side in (-1, 1):
        parts.append(Part((WALL, wide, tall), (side * (long - WALL) / 2, 0, tall / 2)))
        parts.append(Part((long, WALL, tall), (0, side * (wide - WALL) / 2, tall / 2)))
        grips.append(Grip((side * (long - WALL) / 2, 0, tall - 0.012), (0.0,)))
        grips.append(Grip((0, side * (wide - WALL) / 2, tall - 0.012), (1.5708,)))
    room = (long - 2 * WALL, wide - 2 * WALL)
    return Shape(tuple(parts), () if fixed else tuple(grips), max(long, wide) / 2, tall, 0.06, 0.01, room)


def _grip_height(tall: float) -> float:
    """Small things are taken in the middle, tall ones below their top."""
    return max(tall / 2, tall - 0.04)


class Front(NamedTuple):
    """The side of a piece of furniture at which robots stand."""

    box: Box
    turn: float  # the way a robot looks that stands there

    def along(self, point: tuple[float, float]) -> float:
        """How far along the edge a point is."""
        return -math.sin(self.turn) * point[0] + math.cos(self.turn) * point[1]

    def point(self, along: float, deep: float) -> tuple[float, float]:
        """A point of the furniture: so far along its edge, so far behind it; before it `deep` is negative."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        corners = [c * x + s * y for x in (self.box.x0, self.box.x1) for y in (self.box.y0, self.box.y1)]
        far = min(corners) + deep
        return c * far - s * along, s * far + c * along

    def middle(self, deep: float) -> tuple[float, float]:
        """The point so far behind the middle of the edge."""
        return self.point(sum(self.ends) / 2, deep)

    @property
    def ends(self) -> tuple[float, float]:
        found = [self.along((x, y)) for x in (self.box.x0, self.box.x1) for y in (self.box.y0, self.box.y1)]
        return min(found), max(found)


class Cupboard:
    """Its frame's x runs along the edge of the furniture, its y to the robot; the door slides along x, by `slid` metres
    now."""

    walls, panel = (tuple(Part(*part) for part in CUPBOARD_PARTS[of]) for of in ("walls", "panel"))

    def __init__(self, front: Front, is_open: bool) -> None:
        low, high = front.ends
        middle = max(low, (low + high) / 2 - COMPARTMENT - 0.01) + COMPARTMENT / 2
        self.front, self.slid = front, SLIDE if is_open else 0.0
        # A robot that looks along `turn` has the edge's direction on its left.
        self.pose = standing(*front.point(middle, DEEP), front.box.top, front.turn + math.pi / 2)
        self.along, self.ahead = self.pose[:3, 0], -self.pose[:3, 1]

    @property
    def is_open(self) -> bool:
        return self.slid > 0.8 * SLIDE

    @property
    def is_closed(self) -> bool:
        return self.slid < 0.2 * SLIDE

    def door(self) -> np.ndarray:
        """Where the door is: the frame, moved along."""
        pose = self.pose.copy()
        pose[:3, 3] += self.slid * self.along
        return pose

    def handle(self) -> np.ndarray:
        """The top of the handle."""
        return (self.door() @ (*CUPBOARD_PARTS["handle"], 1.0))[:3]
