"""Where the picture of Particles has its field."""

from functools import lru_cache
from typing import NamedTuple

from mmgames.games.particles.seen import Point

EXTENT = 1.4
"""How far from the middle the picture shows, on both axes."""
LEGIBLE = 300
"""Pictures of fewer pixels are too small for small discs and letters."""


class Plan(NamedTuple):
    """The picture's height, where the field begins, its side, and where the column beside it begins."""

    height: int
    left: int
    top: int
    side: int
    column: int

    @property
    def unit(self) -> float:
        """Pixels of a length of 1."""
        return self.side / (2 * EXTENT)

    def at(self, place: Point) -> tuple[int, int]:
        """The pixel of a place, within the field."""
        x, y = (min(EXTENT, max(-EXTENT, number)) for number in place)
        return round(self.left + (x + EXTENT) * self.unit), round(self.top + (EXTENT - y) * self.unit)


@lru_cache(maxsize=64)
def plan(size: int) -> Plan:
    height = size * 3 // 4
    margin = max(1, size // 100)
    side = height - 2 * margin
    return Plan(height, margin, margin, side, margin + side + margin)


def is_legible(size: int) -> bool:
    return size >= LEGIBLE


def is_on_picture(place: Point) -> bool:
    return max(abs(place[0]), abs(place[1])) <= EXTENT
