"""The floor of the maze: the classic plan, plans drawn anew, and how far it is from cell to cell."""

from collections import deque
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import kept, shaped

SIDE = 9
Cell = tuple[int, int]
STEPS: dict[str, Cell] = {"move_up": (-1, 0), "move_down": (1, 0), "move_left": (0, -1), "move_right": (0, 1)}
_ROOMS = tuple((row, column) for row in range(1, SIDE, 2) for column in range(1, SIDE, 2))
_LOOPS = 3  # walls that a drawn plan opens beyond what it needs


class Floor(NamedTuple):
    """Rows of cells, 1 a wall and 0 open; where the torus stands, which is closed; the spheres in manual's COLOURS."""

    walls: tuple[str, ...]
    torus: Cell
    spheres: tuple[Cell, ...]

    def open(self, cell: Cell) -> bool:
        row, column = cell
        return 0 <= row < SIDE and 0 <= column < SIDE and self.walls[row][column] == "0"


CLASSIC: Floor = shaped(Floor, kept(__package__, "classic"))


def drawn(rng: np.random.Generator) -> Floor:
    """A plan with a way from every cell to every other and a few rings; spheres in four of its sixteen rooms."""
    cells = [["1"] * SIDE for _ in range(SIDE)]
    first = _ROOMS[int(rng.integers(len(_ROOMS)))]
    cells[first[0]][first[1]] = "0"
    path = [first]
    while path:
        row, column = path[-1]
        closed = [
            (down, across)
            for down, across in STEPS.values()
            if (row + 2 * down, column + 2 * across) in _ROOMS and cells[row + 2 * down][column + 2 * across] == "1"
        ]
        if not closed:
            path.pop()
            continue
        down, across = closed[int(rng.integers(len(closed)))]
        cells[row + down][column + across] = cells[row + 2 * down][column + 2 * across] = "0"
        path.append((row + 2 * down, column + 2 * across))
    between = [(r, c) for r in range(1, SIDE - 1) for c in range(1, SIDE - 1) if (r + c) % 2 and cells[r][c] == "1"]
    for at in rng.permutation(len(between))[:_LOOPS].tolist():
        row, column = between[at]
        cells[row][column] = "0"
    spheres = tuple(_ROOMS[i] for i in rng.permutation(len(_ROOMS))[:4].tolist())
    return Floor(tuple("".join(row) for row in cells), (SIDE // 2, SIDE // 2), spheres)


@lru_cache(maxsize=256)
def distances(floor: Floor, goal: Cell) -> dict[Cell, int]:
    """How many steps it is to the goal, from every cell from which one can get there. Not to be changed."""
    found, waiting = {goal: 0}, deque([goal])
    while waiting:
        row, column = waiting.popleft()
        for down, across in STEPS.values():
            cell = (row + down, column + across)
            if floor.open(cell) and cell not in found:
                found[cell] = found[row, column] + 1
                waiting.append(cell)
    return found
