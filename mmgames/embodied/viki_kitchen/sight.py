"""What a robot knows of a kitchen: what its camera has seen, what is at its own place, and who went where in its sight.

A row of numbers as in embodied/_world/kernel.py holds it, with NOT_SEEN or LOST instead of the node where something is
not known, and the flag STATE_UNSEEN for doors and switches that have not been seen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mmgames.core.seeding import draw_from
from mmgames.embodied._scenes import scenes
from mmgames.embodied._scenes.ego import WAIST
from mmgames.embodied._scenes.positions import Positions, locate
from mmgames.embodied._world import kernel
from mmgames.embodied._world.names import FIXTURES, PUSH, base
from mmgames.embodied._world.task import KitchenTask
from mmgames.kernels.compiling import compiled_later

NOT_SEEN, LOST = -1, -2
"""Instead of a node: it has not been seen yet; it is no longer where it was seen."""

STATE_UNSEEN = 4
"""A flag beside OPENED and ACTIVE, neither of which is set then."""


class Knowledge(NamedTuple):
    """What one robot knows. Places are meant by their numbers."""

    row: bytes
    now: frozenset[int] = frozenset()  # the places in its sight
    ever: frozenset[int] = frozenset()  # the places that have been
    witnessed: tuple[int, ...] = ()  # the other robots whose last actions it saw


def without_starts(task: KitchenTask) -> KitchenTask:
    """A task as everybody knows it: the job and the floor plan, but not where things are or which robots are to act.

    Its world has the same numbers: places that only things make known are named by other things.
    """
    kept = task.world.kept
    if "without starts" not in kept:
        fixed = {asset.at for asset in task.assets if base(asset.name) in FIXTURES}
        others = [name for name in task.world.place_names[: -len(task.robots)] if name not in {*task.places, *fixed}]
        assets = []
        for asset in task.assets:
            if base(asset.name) not in FIXTURES:
                asset = replace(asset, at=others.pop(0) if others else task.places[0])
            assets.append(replace(asset, open=True))
        known = task.with_(
            assets=tuple(assets), id="", template="", active=(), reference_length=0
        )  # fmt: skip
        kept["without starts"] = known if known.world.place_names == task.world.place_names else None
    return kept["without starts"]


def in_sight(task: KitchenTask, row: np.ndarray) -> list[frozenset[int]]:
    """For every robot, the places whose middle its camera shows, where it is, and what it stands on, as arms do."""
    found = locate(task, row)
    middles = _middles(task, found)
    boxes = [(number, found.scene.places.get(name)) for number, name in enumerate(task.world.place_names)]
    seen = []
    for i, robot in enumerate(task.robots):
        camera, pose = scenes.eyes(task, found, robot.name), found.robots[robot.name]
        shown = {place for place, point in middles if camera.shows(point)}
        under = {n for n, box in boxes if box and box.x0 <= pose.x <= box.x1 and box.y0 <= pose.y <= box.y1}
        seen.append(frozenset({_root(task, row, int(row[i])), *shown, *under}))
    return seen


def _middles(task: KitchenTask, found: Positions) -> list[tuple[int, tuple[float, float, float]]]:
    kept = task.world.kept
    if "middles" not in kept:
        kept["middles"] = []
        for number, name in enumerate(task.world.place_names):
            box = found.scene.places.get(name)
            if number >= len(task.world.place_names) - len(task.robots):
                kept["middles"].append((number, (*found.scene.spots[name][:2], WAIST)))
            elif box is not None:
                kept["middles"].append((number, (*box.middle, box.top)))
    return kept["middles"]


def nothing_seen(task: KitchenTask, row: np.ndarray) -> np.ndarray:
    """What is known of a start before anybody looks: the fixtures, and where robots begin."""
    robots, things = len(task.robots), len(task.assets)
    unknown = row.copy()
    unknown[robots : robots * 3] = -1
    for i, asset in enumerate(task.assets):
        if base(asset.name) not in FIXTURES:
            unknown[robots * 3 + i] = NOT_SEEN
    unknown[robots * 3 + things : robots * 3 + 2 * things] = STATE_UNSEEN
    unknown[robots * 3 + 2 * things :] = 0
    return unknown


def at_first(task: KitchenTask, row: np.ndarray) -> tuple[Knowledge, ...]:
    """What every robot knows when it has looked for the first time."""
    unknown = nothing_seen(task, task.world.start)
    sights = in_sight(task, row)
    return tuple(_looked(task, unknown.copy(), row, robot, now, now) for robot, now in enumerate(sights))


def after(
    task: KitchenTask, known: Sequence[Knowledge], row: np.ndarray, acts: Sequence[Sequence[int]]
) -> tuple[Knowledge, ...]:
    """What every robot knows after a step in which these actions led to this row."""
    robots, _, places = (int(n) for n in task.world.size[:3])
    there = [_root(task, row, int(row[robot])) for robot in range(robots)]
    found = []
    for robot, (before, now) in enumerate(zip(known, in_sight(task, row), strict=True)):
        believed = np.frombuffer(before.row, np.int64).copy()
        seen = [other for other in range(robots) if _root(task, believed, int(believed[other])) in before.now]
        seen = [other for other in range(robots) if other != robot and (other in seen or there[other] in now)]
        for other in seen:
            believed[other] = there[other]
            if acts[other][0] == PUSH:
                box = robots * 3 + acts[other][1] - places
                believed[box] = row[box]
        looked = _looked(task, believed, row, robot, now, before.ever | now)
        found.append(looked._replace(witnessed=tuple(seen)))
    return tuple(found)


def _root(task: KitchenTask, row: np.ndarray, node: int) -> int:
    return int(compiled_later(kernel.root)(row, task.world.size, node))


def _looked(
    task: KitchenTask, believed: np.ndarray, row: np.ndarray, robot: int, now: Collection[int], ever: frozenset[int]
) -> Knowledge:
    """What is known after a look at the places `now` of the true row. Changes `believed`."""
    _, size, _, kinds, _ = task.world.numbers
    robots, things, _ = (int(n) for n in size[:3])
    own = slice(robots + 2 * robot, robots + 2 * robot + 2)
    believed[own] = row[own]
    shut_in = compiled_later(kernel.shut_in)
    seen_robots = [other for other in range(robots) if other == robot or _root(task, row, int(row[other])) in now]
    roots = [_root(task, row, int(row[robots * 3 + thing])) for thing in range(things)]
    seen = [thing for thing in range(things) if roots[thing] in now and not shut_in(row, size, kinds, thing)]
    believed[seen_robots] = row[seen_robots]
    for thing in seen:
        for part in (robots * 3 + thing, robots * 3 + things + thing):
            believed[part] = row[part]
    # What should be in sight and is not has gone.
    for other in set(range(robots)).difference(seen_robots):
        if _root(task, believed, int(believed[other])) in now:
            believed[other] = LOST
    for thing in set(range(things)).difference(seen):
        at = int(believed[robots * 3 + thing])
        if _root(task, believed, at) in now and not shut_in(believed, size, kinds, thing):
            believed[robots * 3 + thing] = LOST
    return Knowledge(believed.tobytes(), frozenset(now), ever)


def imagined(task: KitchenTask, row: np.ndarray, known: Knowledge, rng: np.random.Generator) -> np.ndarray:
    """Another row that a robot holds possible: what it has not seen is elsewhere, out of its sight."""
    robots, things = len(task.robots), len(task.assets)
    believed, row = np.frombuffer(known.row, np.int64), row.copy()
    free = [place for place in range(len(task.places)) if place not in known.now]
    for thing in range(things):
        flags = robots * 3 + things + thing
        if believed[flags] & STATE_UNSEEN and task.world.things[thing] & kernel.OPENABLE:
            row[flags] = int(rng.integers(2)) * kernel.OPENED
        if believed[robots * 3 + thing] < 0 and free:
            row[robots * 3 + thing] = draw_from(free, rng)
            reach = row[robots : robots * 3]
            reach[reach == thing] = -1
    for other in range(robots):
        if believed[other] < 0 and free:
            row[other] = draw_from(free, rng)
            row[robots + 2 * other : robots + 2 * other + 2] = -1
    return row
