"""The five classic kitchens (kitchens.json), and the tables that the kernels read them from.

The grids are those of overcooked_ai; its `counter_circuit_o_1order`, the one with onions alone, is counter_circuit
here. X counter, O onions, D dishes, P pot, S serving hatch, 1 and 2 where the chefs start.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

import numpy as np

GRIDS: dict[str, list[str]] = json.loads(files(__package__).joinpath("kitchens.json").read_text("utf-8"))
NAMES = tuple(GRIDS)

# Every kitchen lies in the top left corner of the same 9×5 cells; cell = y*9 + x, y grows downwards.
WIDE, HIGH = 9, 5
CELLS = WIDE * HIGH
FLOOR, COUNTER, ONIONS, DISHES, POT, HATCH = range(6)
UP, DOWN, RIGHT, LEFT = DIRECTIONS = range(4)
OFFSETS = ((0, -1), (0, 1), (1, 0), (-1, 0))
MOST_POTS = 2
FAR = 99
_KINDS = {" ": FLOOR, "1": FLOOR, "2": FLOOR, "X": COUNTER, "O": ONIONS, "D": DISHES, "P": POT, "S": HATCH}


class Kitchen(NamedTuple):
    """A layout read from its grid."""

    name: str
    width: int
    height: int
    terrain: tuple[int, ...]  # by cell
    starts: tuple[int, int]
    pots: tuple[int, ...]
    counters: tuple[int, ...]  # those a chef can stand at

    def cells(self, kind: int) -> list[int]:
        return [cell for cell, terrain in enumerate(self.terrain) if terrain == kind]


def neighbours(cell: int) -> Iterator[tuple[int, int]]:
    """(direction, cell) of the up to four cells next to one."""
    x, y = cell % WIDE, cell // WIDE
    for direction, (right, down) in enumerate(OFFSETS):
        if 0 <= x + right < WIDE and 0 <= y + down < HIGH:
            yield direction, (y + down) * WIDE + x + right


def _read(name: str, grid: list[str]) -> Kitchen:
    marks = {y * WIDE + x: mark for y, line in enumerate(grid) for x, mark in enumerate(line)}
    terrain = tuple(_KINDS[marks.get(cell, "X")] for cell in range(CELLS))
    used = [cell for cell in range(CELLS) if any(terrain[near] == FLOOR for _, near in neighbours(cell))]
    where = {mark: cell for cell, mark in marks.items()}
    return Kitchen(
        name,
        len(grid[0]),
        len(grid),
        terrain,
        (where["1"], where["2"]),
        tuple(cell for cell in used if terrain[cell] == POT),
        tuple(cell for cell in used if terrain[cell] == COUNTER),
    )


KITCHENS = tuple(_read(name, grid) for name, grid in GRIDS.items())
MOST_COUNTERS = max(len(kitchen.counters) for kitchen in KITCHENS)
NO_NUMBER = -1


def _numbers(kitchen: Kitchen) -> list[int]:
    """Which of the pots, or of the counters, each cell is; others are none."""
    numbers = [NO_NUMBER] * CELLS
    for cells in (kitchen.pots, kitchen.counters):
        for number, cell in enumerate(cells):
            numbers[cell] = number
    return numbers


def _walks(kitchen: Kitchen, start: int) -> dict[int, int]:
    """Steps from a floor cell to every floor cell that can be reached, nobody being in the way."""
    steps, front = {start: 0}, [start]
    for cell in front:
        for _, near in neighbours(cell):
            if kitchen.terrain[near] == FLOOR and near not in steps:
                steps[near] = steps[cell] + 1
                front.append(near)
    return steps


def _nearest(kitchen: Kitchen, cell: int, kind: int) -> tuple[float, float]:
    """The way to the station of a kind that is reached first, as scaled offsets; (0, 0) if none can be reached."""
    steps = _walks(kitchen, cell)
    best, chosen = FAR, cell
    for station in kitchen.cells(kind):
        walk = min((steps.get(near, FAR) for _, near in neighbours(station)), default=FAR)
        if walk < best:
            best, chosen = walk, station
    return float(ACROSS[chosen] - ACROSS[cell]) / 2, float(ALONG[chosen] - ALONG[cell]) / 2


# Tables for the kernels, by layout (in the order of NAMES) and cell.
TERRAIN = np.array([kitchen.terrain for kitchen in KITCHENS], np.int32)
STARTS = np.array([kitchen.starts for kitchen in KITCHENS], np.int32)
NUMBER = np.array([_numbers(kitchen) for kitchen in KITCHENS], np.int32)
_PARTS = [[sorted(_walks(kitchen, start)) for start in kitchen.starts] for kitchen in KITCHENS]
PART_SIZES = np.array([[len(part) for part in parts] for parts in _PARTS], np.int32)  # by layout and chef
PARTS = np.array(
    [[part + [0] * (CELLS - len(part)) for part in parts] for parts in _PARTS], np.int32
)  # the floor there
POTS = np.array([len(kitchen.pots) for kitchen in KITCHENS], np.int32)
COUNTERS = np.array([len(kitchen.counters) for kitchen in KITCHENS], np.int32)
POT_AT = np.array([kitchen.pots + (0,) * (MOST_POTS - len(kitchen.pots)) for kitchen in KITCHENS], np.int32)
AHEAD = np.array([[dict(neighbours(cell)).get(way, cell) for way in DIRECTIONS] for cell in range(CELLS)], np.int32)
ACROSS = np.array([2 * (cell % WIDE) / (WIDE - 1) - 1 for cell in range(CELLS)], np.float32)
ALONG = np.array([2 * (cell // WIDE) / (HIGH - 1) - 1 for cell in range(CELLS)], np.float32)
SOURCES = (ONIONS, DISHES, HATCH)
NEAREST = np.array(
    [
        [
            [_nearest(kitchen, cell, kind) if kitchen.terrain[cell] == FLOOR else (0.0, 0.0) for kind in SOURCES]
            for cell in range(CELLS)
        ]
        for kitchen in KITCHENS
    ],
    np.float32,
).reshape(len(KITCHENS), CELLS, 2 * len(SOURCES))
