"""Routes over the floor of a kitchen, around its furniture, and points at equal distances along them."""

import math
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from mmgames.embodied._scenes.geometry import KitchenScene

POINTS = 5
CELL = 0.2
BODY = 0.22
Path = tuple[tuple[float, float], ...]


def resample(points: Sequence[tuple[float, ...]], count: int) -> list[Any]:
    """`count` points at equal distances along a line of points."""
    line = np.array(points, float)
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    walked = np.concatenate([[0.0], np.cumsum(steps)])
    if walked[-1] == 0.0:
        return [tuple(line[0])] * count
    wanted = np.linspace(0.0, walked[-1], count)
    return [*zip(*(np.interp(wanted, walked, column).tolist() for column in line.T), strict=True)]


def route(
    found: KitchenScene, start: tuple[float, float], end: tuple[float, float], body: float = BODY, reach: float = 0.0
) -> list[tuple[float, float]]:
    """A short way over the floor around the furniture, to the first place that is within `reach` of the end.

    Where there is none, about as near to the end as one can get; without `reach`, as near as one can. `body` is how far
    from furniture it stays. Both are in metres.
    """
    room = found.room
    columns, rows = math.ceil((room.x1 - room.x0) / CELL), math.ceil((room.y1 - room.y0) / CELL)
    blocked = np.zeros((columns, rows), bool)
    xs = room.x0 + (np.arange(columns) + 0.5) * CELL
    ys = room.y0 + (np.arange(rows) + 0.5) * CELL
    for box in found.places.values():
        if box.top > 0.1:
            across = (xs > box.x0 - body) & (xs < box.x1 + body)
            along = (ys > box.y0 - body) & (ys < box.y1 + body)
            blocked |= across[:, None] & along[None, :]

    def cell(point: tuple[float, float]) -> tuple[int, int]:
        i, j = int((point[0] - room.x0) / CELL), int((point[1] - room.y0) / CELL)
        return min(max(i, 0), columns - 1), min(max(j, 0), rows - 1)

    first, goal = cell(start), cell(end)
    before: dict[tuple[int, int], tuple[int, int]] = {first: first}
    walked = {first: 0.0}
    queue = deque([first])
    while queue:
        here = queue.popleft()
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            there = (here[0] + step[0], here[1] + step[1])
            inside = 0 <= there[0] < columns and 0 <= there[1] < rows
            if inside and there not in before and (not blocked[there] or blocked[here]):
                before[there] = here
                walked[there] = walked[here] + math.hypot(*step)
                queue.append(there)
    nearest = min(math.dist(here, goal) for here in before)
    near = [here for here in before if math.dist(here, goal) <= max(reach / CELL, nearest + (reach > 0))]
    way = [min(near, key=lambda here: (walked[here], math.dist(here, goal)))]
    while way[-1] != first:
        way.append(before[way[-1]])
    inner = [(float(xs[i]), float(ys[j])) for i, j in reversed(way[:-1])]
    return _straight([start, *inner], blocked, cell)


def _straight(way: list[tuple[float, float]], blocked: np.ndarray, cell) -> list[tuple[float, float]]:
    """The way without corners that a straight line can cut."""
    kept, at = [way[0]], 0
    while at < len(way) - 1:
        for far in range(len(way) - 1, at, -1):
            samples = max(2, int(math.dist(way[at], way[far]) / (CELL / 2)))
            line = np.linspace(way[at], way[far], samples + 1)[1:]
            if far == at + 1 or not any(blocked[cell(point)] for point in line):
                kept.append(way[far])
                at = far
                break
    return kept
