"""Things as simple solids that a gripper can take: blocks and upright drums, dishes with walls."""

from typing import NamedTuple

from mmgames.embodied._scenes.solids import read
from mmgames.embodied._world.names import DISHES, FIXTURES, OPENABLE, SUPPORTS, TOOLS, base

WALL = 0.012  # how thick the walls of dishes are, in metres: they are taken by one of them


CUPBOARD, COMPARTMENT = 0.14, 0.32
"""How tall and wide cabinets and drawers are inside, in metres. They have a sliding door in front and no roof."""


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


ROUND, DISH_SIZES = (read("things", __package__)[name] for name in ("round", "dishes"))
"""Diameter and height of what stands upright, which never rolls; length, width and height of dishes."""

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


def holds_things(name: str) -> bool:
    return base(name) in SUPPORTS
