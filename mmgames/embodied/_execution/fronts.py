"""Sides of furniture at which robots stand."""

from __future__ import annotations

import math
from typing import NamedTuple

from mmgames.embodied._scenes.geometry import Box


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

    @property
    def ends(self) -> tuple[float, float]:
        found = [self.along((x, y)) for x in (self.box.x0, self.box.x1) for y in (self.box.y0, self.box.y1)]
        return min(found), max(found)
