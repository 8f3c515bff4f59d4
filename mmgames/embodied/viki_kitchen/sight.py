"""What a robot knows of a kitchen: what its camera has seen, what is at its own place, and who went where in its sight.

A state as in embodied/_world/kernel.py holds it, with NOT_SEEN or LOST instead of the node where something is not
known; doors and switches that have not been seen are `unseen`, and neither open nor on.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.seeding import draw_from
from mmgames.embodied._scenes import scenes
from mmgames.embodied._scenes.geometry import scene
from mmgames.embodied._scenes.positions import locate
from mmgames.embodied._scenes.solids import Box, Point
from mmgames.embodied._world.kernel import root, shut_in
from mmgames.embodied._world.names import FIXTURES, PUSH, base
from mmgames.embodied._world.task import KitchenTask, once_a_task
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.kernel import kernel
from mmgames.kernels.records import RecordState

NOT_SEEN, LOST = -1, -2
"""Instead of a node: it has not been seen yet; it is no longer where it was seen."""


WAIST = 0.7
"""A camera sees the spot of a robot if it sees the point so high above it, in metres."""


class Knowledge(NamedTuple):
    """What one robot knows. Places are meant by their numbers."""

    world: RecordState
    now: frozenset[int] = frozenset()  # the places in its sight
    ever: frozenset[int] = frozenset()  # the places that have been
    witnessed: tuple[int, ...] = ()  # the other robots whose last actions it saw


@once_a_task
def without_starts(task: KitchenTask) -> Any:
    """A task as everybody knows it: the job and the floor plan, but not where things are or which robots are to act.

    Its world has the same numbers: places that only things make known are named by other things. None if it has not.
    """
    fixed = {asset.at for asset in task.assets if base(asset.name) in FIXTURES}
    others = [name for name in task.world.place_names[: -len(task.robots)] if name not in {*task.places, *fixed}]
    assets = []
    for asset in task.assets:
        if base(asset.name) not in FIXTURES:
            asset = replace(asset, at=others.pop(0) if others else task.places[0])
        assets.append(replace(asset, open=True))
    known = task.with_(assets=tuple(assets), id="", template="", active=(), reference_length=0)
    return known if known.world.place_names == task.world.place_names else None


def in_sight(task: KitchenTask, world: RecordState) -> list[frozenset[int]]:
    """For every robot, the places whose middle its camera shows, where it is, and what it stands on, as arms do."""
    found, seen = locate(task, world), []
    for robot, place in zip(task.robots, task.world.roots(world)[-len(task.robots) :], strict=True):
        camera, (x, y, _) = scenes.eyes(task, found, robot.name), found.robots[robot.name]
        shown = (n for n, box, at in _places(task) if (at and camera.shows(at)) or (box and box.covers(x, y)))
        seen.append(frozenset({place, *shown}))
    return seen


@once_a_task
def _places(task: KitchenTask) -> list[tuple[int, Box | None, Point | None]]:
    """The number of every place, its furniture and its middle, as far as it has them."""
    found, names, count = scene(task), task.world.place_names, len(task.robots)
    boxes = [found.places.get(name) for name in names]
    middles = [box and (*box.middle, box.top) for box in boxes[:-count]]
    spots = [(*found.spots[name][:2], WAIST) for name in names[-count:]]
    return [*zip(range(len(names)), boxes, [*middles, *spots], strict=True)]


@once_a_task
def nothing_seen(task: KitchenTask) -> RecordState:
    """What is known of a start before anybody looks: the fixtures, and where robots begin."""
    at = task.world.start.array["at"].copy()
    at[0, [i for i, asset in enumerate(task.assets) if base(asset.name) not in FIXTURES]] = NOT_SEEN
    return task.world.start.replace(at=at, opened=0, unseen=1)


@kernel
def sees(state, kitchen, now, node):
    """Whether who sees some of the places, for which `now` is 1, sees a thing or robot."""
    place, thing = root(state, kitchen, node), node - kitchen.places
    return place >= 0 and now[place] and not (thing < kitchen.things and shut_in(state, kitchen, thing))


@kernel
def look(beliefs, states, kitchens, robot, now):
    """Bring up to date what a robot believes when it sees some of the places of a state."""
    believed, state, kitchen = beliefs[0], states[0], kitchens[0]
    things, robots = kitchen.places, kitchen.places + kitchen.things  # the first nodes that are things, and robots
    for slot in range(2):
        believed.near[robot, slot] = state.near[robot, slot]
    for other in range(kitchen.robots):
        if other == robot or sees(state, kitchen, now, robots + other):
            believed.stands[other] = state.stands[other]
    for thing in range(kitchen.things):
        if sees(state, kitchen, now, things + thing):
            believed.at[thing] = state.at[thing]
            believed.opened[thing], believed.active[thing] = state.opened[thing], state.active[thing]
            believed.unseen[thing] = 0
    # What should be in sight and is not has gone.
    for other in range(kitchen.robots):
        node = robots + other
        if other != robot and sees(believed, kitchen, now, node) and not sees(state, kitchen, now, node):
            believed.stands[other] = LOST
    for thing in range(kitchen.things):
        if sees(believed, kitchen, now, things + thing) and not sees(state, kitchen, now, things + thing):
            believed.at[thing] = LOST


def _looked(
    task: KitchenTask, believed: RecordState, world: RecordState, robot: int, now: Collection[int], ever: frozenset[int]
) -> Knowledge:
    """What is known after a look at the places `now` of the true state. Changes `believed`."""
    places = np.zeros(len(task.world.place_names), np.int8)
    places[list(now)] = 1
    compiled_in_background(look)(believed.array, world.array, task.world.kitchen.array, robot, places)
    return Knowledge(believed, frozenset(now), ever)


def at_first(task: KitchenTask, world: RecordState) -> tuple[Knowledge, ...]:
    """What every robot knows when it has looked for the first time."""
    unknown, sights = nothing_seen(task), in_sight(task, world)
    return tuple(_looked(task, unknown.replace(), world, robot, now, now) for robot, now in enumerate(sights))


def after(
    task: KitchenTask, known: Sequence[Knowledge], world: RecordState, acts: Sequence[Sequence[int]]
) -> tuple[Knowledge, ...]:
    """What every robot knows after a step in which these actions led to this state of the world."""
    robots, places, boxes = len(task.robots), len(task.world.place_names), world.at
    there = task.world.roots(world)[-robots:]
    found = []
    for robot, (before, now) in enumerate(zip(known, in_sight(task, world), strict=True)):
        believed = before.world.replace()
        then = task.world.roots(believed)[-robots:]
        seen = [i for i in range(robots) if i != robot and (then[i] in before.now or there[i] in now)]
        for other in seen:
            believed.array["stands"][0, other] = there[other]
            if acts[other][0] == PUSH:
                box = acts[other][1] - places
                believed.array["at"][0, box] = boxes[box]
        looked = _looked(task, believed, world, robot, now, before.ever | now)
        found.append(looked._replace(witnessed=tuple(seen)))
    return tuple(found)


def imagined(task: KitchenTask, world: RecordState, known: Knowledge, rng: np.random.Generator) -> RecordState:
    """Another state that a robot holds possible: what it has not seen is elsewhere, out of its sight."""
    made, believed = world.replace(), known.world
    record, unseen, at, openable = made.record, believed.unseen, believed.at, task.world.kitchen.openable
    free = [place for place in range(len(task.places)) if place not in known.now]
    for thing in range(len(task.assets)):
        if unseen[thing] and openable[thing]:
            record["opened"][thing], record["active"][thing] = int(rng.integers(2)), 0
        if at[thing] < 0 and free:
            record["at"][thing] = draw_from(free, rng)
            record["near"][record["near"] == thing] = -1
    for other, stands in enumerate(believed.stands[: len(task.robots)]):
        if stands < 0 and free:
            record["stands"][other], record["near"][other] = draw_from(free, rng), -1
    return made
