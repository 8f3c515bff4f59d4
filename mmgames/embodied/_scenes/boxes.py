"""Boxes in metres, of which rooms and furniture are made."""

from __future__ import annotations

from typing import NamedTuple

PLINTH = 0.12
"""What is no higher than this is a step on the floor."""


class Box(NamedTuple):
    """A block of furniture: its footprint on the floor and its height, in metres."""

    x0: float
    y0: float
    x1: float
    y1: float
    top: float
    bottom: float = 0.0

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def overlaps(self, other: Box, gap: float = 0.0) -> bool:
        return (
            self.x0 < other.x1 + gap and other.x0 < self.x1 + gap
            and self.y0 < other.y1 + gap and other.y0 < self.y1 + gap
        )  # fmt: skip
