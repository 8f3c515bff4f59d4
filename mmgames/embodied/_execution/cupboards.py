"""Sides of furniture, and a cupboard without a roof there: three low walls, and a door that slides by its handle."""

import math
from typing import NamedTuple

import numpy as np

from mmgames.embodied._control.scene import standing
from mmgames.embodied._execution.shapes import COMPARTMENT, CUPBOARD, Part
from mmgames.embodied._scenes.solids import Box

DEEP, FRONT, BACK = 0.24, 0.12, 0.36
"""How far from the furniture's edge its middle, its front and its back are, in metres."""

SLIDE = COMPARTMENT - 0.01  # how far the door goes
STANDS_OUT, ABOVE = 0.05, 0.03  # how far the handle is before the door, and how far it ends above it
THICK, WALLS = 0.012, 0.05  # its walls are low, so that a hand that takes something between them does not sit on them


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
    """Its frame's x runs along the edge of the furniture; the door slides along it, by `slid` metres now."""

    def __init__(self, front: Front, is_open: bool) -> None:
        low, high = front.ends
        middle = max(low, (low + high) / 2 - COMPARTMENT - 0.01) + COMPARTMENT / 2
        self.front, self.slid = front, SLIDE if is_open else 0.0
        # A robot that looks along `turn` has the edge's direction on its left.
        self.pose = standing(*front.point(middle, DEEP), front.box.top, front.turn + math.pi / 2)
        self.along, self.ahead = self.pose[:3, 0], -self.pose[:3, 1]
        deep = BACK - FRONT
        side = (COMPARTMENT + THICK) / 2
        panel = deep / 2 + THICK  # before the middle: the robot's side is at positive y
        self.walls = (
            Part((THICK, deep, WALLS), (-side, 0, WALLS / 2)),
            Part((THICK, deep, WALLS), (side, 0, WALLS / 2)),
            Part((COMPARTMENT, THICK, WALLS), (0, -(deep + THICK) / 2, WALLS / 2)),
        )
        self.panel = (
            Part((COMPARTMENT, THICK, CUPBOARD - 0.01), (0, panel, CUPBOARD / 2 + 0.005)),
            Part((0.018, 0.018, 2 * ABOVE + 0.02), (0, panel + STANDS_OUT, CUPBOARD - 0.01)),
            Part((0.018, STANDS_OUT, 0.018), (0, panel + STANDS_OUT / 2, CUPBOARD - 0.03)),
        )

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
        panel = (BACK - FRONT) / 2 + THICK
        return (self.door() @ np.array([0, panel + STANDS_OUT, CUPBOARD + ABOVE - 0.012, 1.0]))[:3]
