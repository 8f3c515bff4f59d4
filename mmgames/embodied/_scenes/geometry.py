"""Where things are: metres on the floor for every place, thing and robot of a task.

Areas, robots and some fixtures stand where the layout has them (facts.json). Fixtures that a layout does not mention
get free places along the wall, rooms that it does not have lie to the right of it. All draws come from the task's seed.

Routes lead over the floor of a kitchen, around its furniture.
"""

import itertools
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from mmgames.embodied._scenes.solids import PLINTH, Box
from mmgames.embodied._world import facts
from mmgames.embodied._world.names import FIXTURES, base
from mmgames.embodied._world.task import KitchenTask

COUNTER, DESK = 0.92, 0.75
ROOM_MARGIN = 0.55
SIDE_ROOM = 1.9
ROBOT_GAP = 0.6
_WIDE = {"sink": 0.7, "toaster": 0.5, "fridge": 0.8, "oven": 0.7, "drawer": 0.6, "cabinet": 0.8}
_FLOOR = "groundA"


@dataclass(frozen=True)
class KitchenScene:
    """The geometry of one task. Positions of what moves are worked out from a state of the world."""

    room: Box
    places: dict[str, Box]  # areas by name, also the places of fixtures, and stands beside arms by the arms' names
    spots: dict[str, tuple[float, float, float]]  # where each robot starts, and the way it looks
    sides: tuple[str, ...] = ()  # rooms beside the kitchen
    shelves: frozenset[str] = frozenset()  # places above the counter, drawn in front of the wall


def kitchen_box(layout: int) -> Box:
    """The walls: where a layout says they are, or around everything of it with a margin."""
    points, known = [], facts.layout(layout)
    if "room" in known:
        x0, y0, x1, y1 = known["room"]
        return Box(x0, y0, x1, y1, 2.6)
    for part in (*known["areas"], *known["robots"]):
        if part.get("relative_to"):
            continue
        (x, y, *_), (dx, dy, *_) = part["corner"], part["extent"]
        points += [(x, y), (x + dx, y + dy)]
    xs, ys = zip(*points, strict=True)
    return Box(min(xs) - ROOM_MARGIN, min(ys) - ROOM_MARGIN, max(xs) + ROOM_MARGIN, max(ys) + ROOM_MARGIN, 2.6)


@lru_cache(maxsize=16)
def furniture(layout: int) -> dict[str, Box]:
    """The areas of a layout as furniture, large enough to put things on."""
    room = kitchen_box(layout)
    found: dict[str, Box] = {}
    for area in facts.layout(layout)["areas"]:
        if area.get("relative_to") or area["names"][0].startswith("ground"):
            continue
        (x, y, z), (dx, dy, _) = area["corner"], area["extent"]
        x0, x1, y0, y1 = min(x, x + dx), max(x, x + dx), min(y, y + dy), max(y, y + dy)
        x0, x1 = _widen(x0, x1, 1.3 if dx >= dy else 0.66, room.x0, room.x1)
        y0, y1 = _widen(y0, y1, 0.66 if dx >= dy else 1.3, room.y0, room.y1)
        for name in area["names"]:
            found[name] = Box(x0, y0, x1, y1, COUNTER if z < 1.2 else z, 0.0 if z < 1.2 else z - 0.35)
    # Shelf and cabinet hang above the counter; from above they get a strip of their own along the wall.
    result = {name: box for name, box in found.items() if box.bottom == 0.0}
    for name, box in found.items():
        if box.bottom > 0.0:
            moved = _free_wall(room, [*result.values()], min(box.x1 - box.x0, 1.1), box.middle)
            result[name] = moved._replace(top=box.top, bottom=box.bottom)
    return result


def _widen(low: float, high: float, least: float, floor: float, ceiling: float) -> tuple[float, float]:
    more = max(0.0, least - (high - low)) / 2
    low, high = low - more, high + more
    shift = max(0.0, floor - low) - max(0.0, high - ceiling)
    return low + shift, high + shift


def _free_wall(room: Box, taken: list[Box], width: float, near: tuple[float, float]) -> Box:
    """A free stretch of wall, as near to a point as there is one; the bottom wall is the last choice."""
    deep = 0.62
    options = []
    for x in np.arange(room.x0, room.x1 - width + 1e-6, 0.1):
        options.append((Box(x, room.y1 - deep, x + width, room.y1, COUNTER), 0.0))
        options.append((Box(x, room.y0, x + width, room.y0 + deep, COUNTER), 2.0))
    for y in np.arange(room.y0, room.y1 - width + 1e-6, 0.1):
        options.append((Box(room.x0, y, room.x0 + deep, y + width, COUNTER), 0.3))
        options.append((Box(room.x1 - deep, y, room.x1, y + width, COUNTER), 0.3))

    def badness(option: tuple[Box, float]) -> tuple[int, float]:
        box, unwanted = option
        return sum(box.overlaps(other, 0.06) for other in taken), math.dist(box.middle, near) + unwanted

    return min(options, key=badness)[0]


@lru_cache(maxsize=256)
def scene(task: KitchenTask) -> KitchenScene:
    room = kitchen_box(task.layout)
    rng = np.random.default_rng([7, task.seed, task.layout, len(task.robots)])
    known = furniture(task.layout)
    places = {name: known[name] for name in task.places if name in known}
    shelves = {name for name in places if known[name].bottom > 0.0}
    solid = [box for name, box in known.items() if name in places or box.bottom == 0.0]
    floor = next((a for a in facts.layout(task.layout)["areas"] if a["names"] == [_FLOOR]), None)
    for asset in task.assets:
        word = base(asset.name)
        if word in FIXTURES and asset.at not in places and not asset.at.startswith("R"):
            if asset.name == "cabinet" and "cabinet" not in places and "cabinet" in known:
                box = known["cabinet"]
                shelves.add(asset.at)
            else:
                box = _free_wall(room, solid, _WIDE.get(word, 0.7), _mentioned(task.layout, word, room))
            places[asset.at] = box._replace(top=PLINTH) if word in ("fridge", "oven") else box
            solid.append(box)
    for name in (asset.at for asset in task.assets if asset.at.startswith("ground")):
        corner, extent = (floor["corner"], floor["extent"]) if floor else ((room.x0 + 1, room.y0 + 1), (0.6, 0.6))
        x, y = corner[0] + extent[0] / 2, corner[1] + extent[1] * 0.35
        places[name] = Box(x - 0.3, y - 0.3, x + 0.3, y + 0.3, 0.02)
    sides = tuple(name for name in task.places if name not in known)
    for number, name in enumerate(sides):
        rows = max(1, int((room.y1 - room.y0) / SIDE_ROOM))
        x = room.x1 + 0.25 + SIDE_ROOM * (number // rows)
        y = room.y1 - SIDE_ROOM * (number % rows + 1)
        places[name] = Box(x, y + 0.1, x + SIDE_ROOM - 0.35, y + SIDE_ROOM - 0.15, DESK)
    if sides:
        room = room._replace(x1=max(places[name].x1 for name in sides) + 0.2)
    spots = _spots(task, rng, solid)
    solid += [Box(x - 0.3, y - 0.3, x + 0.3, y + 0.3, 1) for x, y, _ in spots.values()]
    for robot in task.robots:
        if robot.kind == "arm" and any(asset.at == robot.name for asset in task.assets):
            places[robot.name] = _stand(room, solid, spots[robot.name])
            solid.append(places[robot.name])
    return KitchenScene(room, places, spots, sides, frozenset(shelves))


def _stand(room: Box, taken: list[Box], arm: tuple[float, float, float]) -> Box:
    """A stand within reach of an arm, for what lies beside it: on free floor, as much ahead of the arm as there is."""
    x, y, turn = arm
    options = []
    for far, aside, (wide, deep) in itertools.product((0.55, 0.75), range(24), ((0.7, 0.4), (0.4, 0.7))):
        angle = turn + (aside + 1) // 2 * (-1) ** aside * math.pi / 12
        cx, cy = x + far * math.cos(angle), y + far * math.sin(angle)
        box = Box(cx - wide / 2, cy - deep / 2, cx + wide / 2, cy + deep / 2, COUNTER)
        outside = box.x0 < room.x0 or box.x1 > room.x1 or box.y0 < room.y0 or box.y1 > room.y1
        options.append((outside, sum(box.overlaps(other, -0.02) for other in taken), far, aside, box))
    return min(options)[-1]


def _mentioned(layout: int, word: str, room: Box) -> tuple[float, float]:
    """Where a layout has a fixture of this kind; otherwise somewhere along the wall that its name decides."""
    for fixture in facts.layout(layout)["fixtures"]:
        if fixture["name"].startswith(word):
            return (fixture["min"][0] + fixture["max"][0]) / 2, (fixture["min"][1] + fixture["max"][1]) / 2
    share = {"sink": 0.1, "toaster": 0.9, "fridge": 0.0, "oven": 0.6, "drawer": 0.35}.get(word, 0.5)
    return room.x0 + share * (room.x1 - room.x0), room.y1


@lru_cache(maxsize=16)
def _arm_ranges(layout: int) -> list[dict[str, Any]]:
    """Where a layout has arms, those on one point moved apart: along the furniture that they stand on."""
    ranges: list[dict[str, Any]] = []
    for part in facts.layout(layout)["robots"]:
        near = any(math.dist(part["corner"][:2], other["corner"][:2]) < ROBOT_GAP for other in ranges)
        if part["kind"] == "arm" and not near:
            ranges.append(part)
    more = facts.layout(layout)["role_counts"].get("arm", 0) - len(ranges)
    for part in ranges[: max(0, more)]:
        x, y, _ = corner = [*part["corner"]]
        if max(part["extent"][:2]) <= ROBOT_GAP:  # there is no room for two
            under = min(furniture(layout).values(), key=lambda box: (box.bottom > 0, math.dist(box.middle, (x, y))))
            axis = int(not under.is_wide)
            at, middle, end = corner[axis], under.middle[axis], (under.x1, under.y1)[axis]
            corner[axis] = 2 * middle - at if abs(at - middle) > 0.35 else end - 0.1
        ranges.append(part | {"corner": corner})
    return ranges


def _spots(task: KitchenTask, rng: np.random.Generator, solid: list[Box]) -> dict[str, tuple[float, float, float]]:
    """Drawn as the layout says: anywhere in its range for such a robot, not too near to another one."""
    spots: dict[str, tuple[float, float, float]] = {}
    ranges = facts.layout(task.layout)["robots"]
    arms = itertools.cycle(_arm_ranges(task.layout))
    for robot in task.robots:
        fitting = arms if robot.kind == "arm" else (part for part in ranges if part["type"] == robot.type)
        part = next(fitting, ranges[-1])
        (x, y, _), (dx, dy, _) = part["corner"], part["extent"]
        turn = part["euler"][2] + part.get("euler_extent", (0, 0, 0))[2] * rng.random()
        best, best_gap = (x, y), -1.0
        for _ in range(60):
            point = (x + dx * rng.random(), y + dy * rng.random())
            body = Box(point[0] - 0.2, point[1] - 0.2, point[0] + 0.2, point[1] + 0.2, 1)
            gap = min([math.dist(point, other[:2]) for other in spots.values()], default=9.0)
            if robot.kind != "arm" and any(body.overlaps(box) for box in solid):
                gap -= 5.0
            if gap > best_gap:
                best, best_gap = point, gap
            if gap >= ROBOT_GAP:
                break
        spots[robot.name] = (*best, turn)
    return spots


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
