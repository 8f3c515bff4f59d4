"""Where the picture of a commons has its map."""

from functools import lru_cache
from typing import NamedTuple

from mmgames.games._commons.rules import CommonsView, window

LEGIBLE = 9
"""Cells of fewer pixels do not show what is in them."""
TABLE = 0.655  # where the table begins


class Plan(NamedTuple):
    """Where things lie in a picture: its height, the side of a cell, and the map's left, top, columns and lines."""

    height: int
    cell: int
    left: int
    top: int
    columns: int
    lines: int


@lru_cache(maxsize=64)
def plan(size: int, columns: int, lines: int) -> Plan:
    height = size * 5 // 8
    margin, numbers = max(1, size // 100), max(6, size // 26)
    cell = max(1, min((int(size * (TABLE - 0.02)) - numbers) // columns, (height - numbers - margin) // lines))
    left = numbers + (int(size * (TABLE - 0.02)) - numbers - cell * columns) // 2
    return Plan(height, cell, left, margin + (height - numbers - margin - cell * lines) // 2, columns, lines)


def plan_of(view: CommonsView, size: int) -> Plan:
    return plan(size, *window(view.state, view.seat)[2:])


def is_legible(view: CommonsView, size: int) -> bool:
    return plan_of(view, size).cell >= LEGIBLE
