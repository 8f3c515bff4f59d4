"""VikiKitchen in pictures: the kitchen from above; features one-hot."""

from typing import Any

import numpy as np

from mmgames.drawing.canvas import blank
from mmgames.embodied._scenes import above, camera, scenes
from mmgames.embodied._scenes.drawing_list import DrawingList, drawing_list
from mmgames.embodied._scenes.positions import locate
from mmgames.embodied._world import kernel
from mmgames.embodied._world.names import KINDS
from mmgames.embodied._world.task import WHAT, KitchenTask, once_a_task
from mmgames.embodied.viki_kitchen.rules import KitchenView, horizon, once_a_state
from mmgames.embodied.viki_kitchen.slots import Room

KIND_ORDER = tuple(KINDS)


def draw(view: KitchenView, size: int) -> np.ndarray:
    task, world = view.state.task, view.state.world
    if view.looks == "ego" and view.seat is not None:
        if view.seat >= len(task.robots):
            return blank(size, round(size * camera.HEIGHT / camera.WIDTH))
        return scenes.through(view.scene, task, once_a_state(view, _shown), _eyes(view), view.seat, size, in_head=True)
    if view.scene == "drawn":
        return above.draw(once_a_state(view, _shown), size)
    return scenes.overview(view.scene, task, world, size, view.labels)


def shows(view: KitchenView) -> Any:
    """The drawing list, and the camera where there is one; in 3D, where the models of robots are loaded by their
    types, the task."""
    state, task = view.state, view.state.task
    through = view.seat if view.looks == "ego" else None
    if view.scene != "drawn" or (through is not None and through >= len(task.robots)):
        return view.scene, view.labels, through, task, state.world
    return once_a_state(view, _shown) if through is None else (once_a_state(view, _shown), _eyes(view))


def _eyes(view: KitchenView) -> camera.Camera:
    task = view.state.task
    return scenes.eyes(task, locate(task, view.state.world), task.robots[view.seat or 0].name)


def _shown(view: KitchenView) -> DrawingList:
    return drawing_list(view.state.task, view.state.world, view.labels, view.unseen)


def features(view: KitchenView) -> np.ndarray:
    """One-hot: for every robot slot what it is, where it stands, what is in reach; for every thing slot what it is,
    where it is, where it should be; whether it is open and on, and should be; the time."""
    numbers = once_a_state(view, _common).copy()
    if view.seat is not None and view.seat < len(view.state.task.robots):
        numbers[view.seat * _robot_width(view.room) + 1] = 1
    return numbers


def _robot_width(room: Room) -> int:
    return 2 + len(KIND_ORDER) + sum(room) + room[1]


def _common(view: KitchenView) -> np.ndarray:
    """The features as they are for everybody; only whose they are is missing."""
    state, robots, nodes = view.state, view.room[2], sum(view.room)
    task, world, width = state.task, state.world, _robot_width(view.room)
    slot, numbers, count = _slots(task, view.room), _lasting(task, view.room).copy(), len(task.assets)
    first, behind, each = 2 + len(KIND_ORDER), robots * width, 10 + 2 * nodes
    ones = []
    for i, (node, reach) in enumerate(zip(world.stands[: len(task.robots)], world.near, strict=False)):
        if node >= 0:
            ones.append(i * width + first + slot[node])
        ones += [i * width + first + nodes + near for near in reach if near >= 0]
    ones += [behind + i * each + 10 + slot[node] for i, node in enumerate(world.at[:count]) if node >= 0]
    numbers[ones] = 1
    end = behind + count * each
    numbers[behind + 5 : end : each] = world.opened[:count]
    numbers[behind + 6 : end : each] = world.active[:count]
    numbers[-1] = min(1.0, state.step / horizon(task))
    return numbers


@once_a_task
def _lasting(task: KitchenTask, room: Room) -> np.ndarray:
    """What the features say that stays the same: who and what is there, and what is wanted of things."""
    world, (_, things, robots), nodes = task.world, room, sum(room)
    slot, bodies = _slots(task, room), np.zeros((robots, _robot_width(room)), np.float32)
    for i, robot in enumerate(task.robots):
        bodies[i, [0, 2 + KIND_ORDER.index(robot.kind)]] = 1
    assets = np.zeros((things, 1 + 4 + 2 + 3 + 2 * nodes), np.float32)
    kinds = (getattr(world.kitchen, what)[: len(task.assets)] for what in WHAT)
    assets[: len(task.assets), :5] = np.transpose([np.ones(len(task.assets)), *kinds])
    for thing, kind, value, chain, _ in world.predicates.tolist():
        if kind in (kernel.AT, kernel.ALIGNED):
            assets[thing, 10 + nodes + slot[value]] = 1 if chain < 0 else 0.5
        elif kind == kernel.ACTIVATED:
            assets[thing, 7] = 1 if value else -1
        else:
            assets[thing, 8] = 1 if value else -1
        assets[thing, 9] = max(assets[thing, 9], float(chain >= 0))
    return np.concatenate([bodies.ravel(), assets.ravel(), [0]], dtype="f4")


@once_a_task
def _slots(task: KitchenTask, room: Room) -> list[int]:
    """The slot of every node: places, things, robots; a fixture's own place is the fixture's, a spot its robot's."""
    places, things, _ = room
    count, number = len(task.robots), len(task.assets)
    owner = {asset.at: i for i, asset in reversed([*enumerate(task.assets)])}
    own = [places + owner.get(name, 0) for name in task.world.place_names[len(task.places) : -count]]
    robots = range(places + things, places + things + count)
    return [*range(len(task.places)), *own, *robots, *range(places, places + number), *robots]
