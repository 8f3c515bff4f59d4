"""Where apples grow and where water flows: the maps of the commons (maps.json), and tables of them for the kernels."""

import json
from importlib.resources import files
from typing import NamedTuple

import numpy as np

GRASS, SOIL, WATER = range(3)
LETTERS = {".": GRASS, "o": SOIL, "~": WATER}
RADIUS = 2
NEARBY = 12
"""So many cells are within the radius, whether distances are straight or in steps."""
AROUND = 8
"""So many of them, the first ones, touch the place."""


class Ground(NamedTuple):
    """A map. Cells are counted from the bottom left corner, row by row."""

    name: str
    wide: int
    high: int
    has_water: bool
    terrain: tuple[int, ...]


def _ground(name: str, lines: list[str]) -> Ground:
    terrain = [LETTERS[letter] for line in reversed(lines) for letter in line]
    return Ground(name, len(lines[0]), len(lines), WATER in terrain, tuple(terrain))


_DRAWN = json.loads(files(__package__).joinpath("maps.json").read_text("utf-8"))
GROUNDS = tuple(_ground(name, lines) for name, lines in _DRAWN.items())
NAMES = tuple(ground.name for ground in GROUNDS)
_MOST_CELLS = max(len(ground.terrain) for ground in GROUNDS)


def _nearby(ground: Ground, cell: int) -> list[int]:
    """The cells within the radius of one, which stands itself for those beyond the edge: it is empty when asked."""
    x, y = cell % ground.wide, cell // ground.wide
    ways = [(down, right) for down in range(-RADIUS, RADIUS + 1) for right in range(-RADIUS, RADIUS + 1)]
    found = []
    for down, right in sorted(ways, key=lambda way: max(map(abs, way))):
        if 0 < abs(down) + abs(right) <= RADIUS:
            inside = 0 <= x + right < ground.wide and 0 <= y + down < ground.high
            found.append((y + down) * ground.wide + x + right if inside else cell)
    return found


def _of_kind(kind: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells of a kind on each map, and how many they are."""
    cells = [[cell for cell, terrain in enumerate(ground.terrain) if terrain == kind] for ground in GROUNDS]
    found = np.zeros((len(GROUNDS), max(map(len, cells))), np.int32)
    for which, these in enumerate(cells):
        found[which, : len(these)] = these
    return found, np.array([len(these) for these in cells])


# Tables for the kernels, by the number of the map.
TERRAIN = np.zeros((len(GROUNDS), _MOST_CELLS), np.int8)
for _which, _map in enumerate(GROUNDS):
    TERRAIN[_which, : len(_map.terrain)] = _map.terrain
SOILS, NUM_SOILS = _of_kind(SOIL)
WATERS, NUM_WATERS = _of_kind(WATER)
NEAR = np.array(
    [[_nearby(ground, cell) for cell in cells] for ground, cells in zip(GROUNDS, SOILS.tolist(), strict=True)],
    np.int32,
)
