"""VikiKitchen in pictures: the kitchen from above; features one-hot."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mmgames.embodied._scenes import above
from mmgames.embodied._world import kernel
from mmgames.embodied._world.names import KINDS
from mmgames.embodied._world.task import Task
from mmgames.embodied.viki_kitchen.rules import KitchenView, horizon, row_of

KIND_ORDER = tuple(KINDS)


def draw(view: KitchenView, size: int) -> np.ndarray:
    state = view.state
    return _drawn(state.task, state.row, size).copy()


@lru_cache(maxsize=4)
def _drawn(task: Task, row: bytes, size: int) -> np.ndarray:
    """All seats see the same picture, so it is drawn once."""
    return above.draw(task, np.frombuffer(row, np.int64).copy(), size)


def features(view: KitchenView) -> np.ndarray:
    """One-hot: for every robot slot what it is, where it stands, what is in reach; for every thing slot what it is,
    where it is, where it should be; whether it is open and on, and should be; the time."""
    state, (places, things, robots) = view.state, view.room
    task, row = state.task, row_of(state)
    world = task.world
    nodes = places + things + robots
    bodies = np.zeros((robots, 2 + len(KIND_ORDER) + nodes + things), np.float32)
    assets = np.zeros((things, 1 + 4 + 2 + 3 + 2 * nodes), np.float32)
    slot = _slots(view)
    count, number = len(task.robots), len(task.assets)
    for i, robot in enumerate(task.robots):
        bodies[i, 0] = 1
        bodies[i, 1] = i == view.seat
        bodies[i, 2 + KIND_ORDER.index(robot.kind)] = 1
        at = 2 + len(KIND_ORDER)
        bodies[i, at + slot[int(row[i])]] = 1
        for near in row[count + 2 * i : count + 2 * i + 2]:
            if near >= 0:
                bodies[i, at + nodes + int(near)] = 1
    flags = row[count * 3 + number : count * 3 + 2 * number]
    for i in range(number):
        assets[i, 0] = 1
        bits = int(world.things[i])
        assets[i, 1:5] = [bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1]
        assets[i, 5:7] = [flags[i] & 1, flags[i] >> 1 & 1]
        assets[i, 10 + slot[int(row[count * 3 + i])]] = 1
    for thing, kind, value, chain, _ in world.predicates.tolist():
        if kind in (kernel.AT, kernel.ALIGNED):
            assets[thing, 10 + nodes + slot[value]] = 1 if chain < 0 else 0.5
        elif kind == kernel.ACTIVATED:
            assets[thing, 7] = 1 if value else -1
        else:
            assets[thing, 8] = 1 if value else -1
        assets[thing, 9] = max(assets[thing, 9], float(chain >= 0))
    time = np.array([min(1.0, state.step / horizon(task))], np.float32)
    return np.concatenate([bodies.ravel(), assets.ravel(), time])


def _slots(view: KitchenView) -> list[int]:
    """The slot of every node: places, things, robots; a fixture's own place is the fixture's, a spot its robot's."""
    task, (places, things, _) = view.state.task, view.room
    count, number = len(task.robots), len(task.assets)
    size = int(task.world.size[2])
    slot = list(range(len(task.places)))
    for name in task.world.place_names[len(task.places) : size - count]:
        owner = next((i for i, asset in enumerate(task.assets) if asset.at == name), 0)
        slot.append(places + owner)
    slot += [places + things + i for i in range(count)]
    slot += [places + i for i in range(number)]
    slot += [places + things + i for i in range(count)]
    return slot
