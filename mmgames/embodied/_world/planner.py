"""The planner: a shortest plan for the robots that are to act, as a plan in words."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from functools import lru_cache

import numpy as np

from mmgames.embodied._world import search
from mmgames.embodied._world.names import PLACE, PUSHABLE, VERBS, base
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask, KitchenWorld
from mmgames.kernels.compiling import compiled_later

MOST_STATES = 200_000
MOST_STEPS = 60


Joint = tuple[tuple[int, int, int], ...]


class OutOfRoom(Exception):
    """The search met more states than it may keep; the task has a plan or not, but it was not found."""


def optimal_plan(task: KitchenTask, most_states: int = MOST_STATES) -> Plan | None:
    """A plan with the fewest timesteps for the task's team, or None if there is none of up to 60 steps.

    Things and robots that have nothing to do with the task stay out of the search. Tasks that differ in names alone
    are searched once. Raises OutOfRoom for tasks that are too large.
    """
    world = relevant(task).world
    found = search_plan(world.numbers, most_states)
    if found is None:
        return None
    return [
        {world.task.robots[robot].name: say(world, *action) for robot, action in enumerate(step) if action[0]}
        for step in found
    ]


def shortest_length(task: KitchenTask) -> int:
    """The timesteps of a shortest plan; 0 if there is none or if it is not found."""
    if task.optimum:
        return task.optimum
    try:
        return len(optimal_plan(task) or ())
    except OutOfRoom:
        return 0


def relevant(task: KitchenTask) -> KitchenTask:
    """The task without the robots that are not to act and the things and places that it is not about."""
    wanted = [*task.goals, *(p for chain in task.chains for stage in chain for p in stage)]
    assets = {asset.name: asset for asset in task.assets}
    team = task.team
    needed: dict[str, None] = {}
    if any(robot.kind == "dog" for robot in team) and any(robot.kind == "arm" for robot in team):
        needed |= dict.fromkeys(name for name in assets if base(name) in PUSHABLE)
    for name in (name for predicate in wanted for name in (predicate.asset, predicate.at)):
        while name in assets and name not in needed:
            needed[name] = None
            name = assets[name].at
    kept = tuple(asset for asset in task.assets if asset.name in needed)
    team = tuple(sorted(team, key=lambda robot: robot.kind))  # whatever their names are, it is the same search
    return replace(task, robots=team, assets=kept, places=(), active=())


def search_plan(numbers: tuple[np.ndarray, ...], most_states: int = MOST_STATES) -> tuple[Joint, ...] | None:
    """A shortest plan in numbers for the numbers of a world: start, size, robots, things, predicates."""
    return _solve(tuple((part.tobytes(), part.shape) for part in numbers), most_states)


@lru_cache(maxsize=4096)
def _solve(numbers: tuple[tuple[bytes, tuple[int, ...]], ...], most_states: int) -> tuple[Joint, ...] | None:
    start, *facts = (np.frombuffer(data, np.int64).reshape(shape).copy() for data, shape in numbers)
    count = int(facts[0][0])
    room = _room(most_states)
    rows = _shaped(room["rows"], most_states, start.size)
    doings = _shaped(room["doings"], most_states, count, 3)
    last = compiled_later(search.shortest)(start, *facts, MOST_STEPS, rows, room["parents"], doings, room["table"])
    if last == search.FULL:
        raise OutOfRoom
    if last == search.FOUND_NOTHING:
        return None
    steps = []
    while last > 0:
        steps.append(tuple((int(verb), int(first), int(second)) for verb, first, second in doings[last]))
        last = int(room["parents"][last])
    return tuple(reversed(steps))


def _shaped(space: np.ndarray, *shape: int) -> np.ndarray:
    needed = math.prod(shape)
    return space[:needed].reshape(shape) if needed <= space.size else np.empty(shape, space.dtype)


_rooms = threading.local()


def _room(most_states: int) -> dict[str, np.ndarray]:
    """Space for a search, kept between searches."""
    rooms = _rooms.__dict__
    kept = rooms.get(str(most_states))
    if kept is None:
        kept = rooms[str(most_states)] = {
            "rows": np.empty(most_states * 40, np.int64),
            "parents": np.empty(most_states, np.int64),
            "doings": np.empty(most_states * 9, np.int64),
            "table": np.empty(1 << (2 * most_states - 1).bit_length(), np.int64),
        }
    return kept


def say(world: KitchenWorld, verb: int, first: int, second: int) -> list[str]:
    """An action in numbers as a plan has it."""
    words = [VERBS[verb - 1].capitalize()]
    if verb == PLACE and second >= 0:
        return [*words, world.names[second], world.names[first]]
    return words + [world.names[node] for node in (first, second) if node >= 0]
