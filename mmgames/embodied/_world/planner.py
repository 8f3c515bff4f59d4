"""The planner: a shortest plan for the robots that are to act, as a plan in words."""

import threading
from dataclasses import replace
from functools import lru_cache

import numpy as np

from mmgames.embodied._world import kernel, search
from mmgames.embodied._world.names import PLACE, PUSHABLE, VERBS, base
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask, KitchenWorld
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.records import RecordState

MOST_STATES = 200_000
MOST_STEPS = 60

Joint = tuple[tuple[int, int, int], ...]


class OutOfRoom(Exception):
    """The search met more states than it may keep; the task has a plan or not, but it was not found."""


def optimal_plan(task: KitchenTask, most_states: int = MOST_STATES, most_steps: int = MOST_STEPS) -> Plan | None:
    """A plan with the fewest timesteps for the task's team, or None if there is none of up to `most_steps` (60).

    Things and robots that have nothing to do with the task stay out of the search. Tasks that differ in names alone
    are searched once. Raises OutOfRoom for tasks that are too large.
    """
    world = relevant(task).world
    found = search_plan(world.start, world.kitchen, most_states, most_steps)
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
    assets = {asset.name: asset for asset in task.assets}
    team = task.team
    needed: dict[str, None] = {}
    if any(robot.kind == "dog" for robot in team) and any(robot.kind == "arm" for robot in team):
        needed |= dict.fromkeys(name for name in assets if base(name) in PUSHABLE)
    for name in (name for predicate in task.wanted for name in (predicate.asset, predicate.at)):
        while name in assets and name not in needed:
            needed[name] = None
            name = assets[name].at
    kept = tuple(asset for asset in task.assets if asset.name in needed)
    team = tuple(sorted(team, key=lambda robot: robot.kind))  # whatever their names are, it is the same search
    return replace(task, robots=team, assets=kept, places=(), active=())


@lru_cache(maxsize=4096)
def search_plan(
    start: RecordState, kitchen: RecordState, most_states: int = MOST_STATES, most_steps: int = MOST_STEPS
) -> tuple[Joint, ...] | None:
    """A shortest plan in numbers for a kitchen from a state."""
    records = kernel.records(len(start.stands))
    states, words, parents, joints, table = _room(records, most_states)
    states[0] = start.record
    marks = np.zeros(1, records.marks)
    last = compiled_in_background(search.shortest)(
        kitchen.array, marks, most_steps, states, words, parents, joints, table
    )
    if last == search.FULL:
        raise OutOfRoom
    if last == search.FOUND_NOTHING:
        return None
    steps, robots = [], kitchen.robots
    while last > 0:
        parts = (joints[last][part].tolist() for part in ("verb", "first", "second"))
        steps.append(tuple(zip(*parts, strict=True))[:robots])
        last = int(parents[last])
    return tuple(reversed(steps))


_rooms = threading.local()


def _room(records: kernel.Records, most_states: int) -> tuple[np.ndarray, ...]:
    """Space for a search, kept between searches."""
    rooms = _rooms.__dict__.setdefault("kept", {})
    if (records, most_states) not in rooms:
        states = np.empty(most_states, records.state)
        rooms[records, most_states] = (
            states,
            states.view(np.uint64).reshape(most_states, -1),
            np.empty(most_states, np.int64),
            np.empty(most_states, records.joint),
            np.empty(1 << (2 * most_states - 1).bit_length(), np.int64),
        )
    return rooms[records, most_states]


def say(world: KitchenWorld, verb: int, first: int, second: int) -> list[str]:
    """An action in numbers as a plan has it."""
    words = [VERBS[verb - 1].capitalize()]
    if verb == PLACE and second >= 0:
        return [*words, world.names[second], world.names[first]]
    return words + [world.names[node] for node in (first, second) if node >= 0]
