"""Where everything is in one state of the world: the same for the picture from above and for the one from a robot."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._scenes.furniture import Way, wall_gaps
from mmgames.embodied._scenes.geometry import Box, KitchenScene, scene
from mmgames.embodied._scenes.solids import Point, Pose
from mmgames.embodied._world.names import FIXTURES, OPENABLE, base
from mmgames.embodied._world.task import KitchenTask, once_a_task
from mmgames.kernels.records import RecordState

REACH = 0.42
"""How far in front of furniture a robot stands, in metres."""

APART = 0.5
"""Robots are drawn so far apart at least, if there is room, in metres."""


CLEAR = 0.5
"""Things lie so far from the foot of an arm, if their place is large enough, in metres."""


class Located(NamedTuple):
    """A thing that lies somewhere. `around` names what it is in or on, what that is in or on, and so on; `holder` the
    robot that has the last of these, `doors` what is closed and hides it."""

    x: float
    y: float
    z: float
    around: tuple[str, ...] = ()
    holder: str = ""
    doors: str = ""


class Positions(NamedTuple):
    robots: dict[str, Pose]
    things: dict[str, Located]
    scene: KitchenScene


def number_of(task: KitchenTask, robot: str) -> int:
    return [one.name for one in task.robots].index(robot)


def locate(task: KitchenTask, state: RecordState) -> Positions:
    """Where robots and things are in a state: things on their places, in one another, or in a robot's hands.

    Those of which a state does not say where they are (a node below 0, or at or in such a one) are left out.
    """
    world, found = task.world, scene(task)
    robots, things, places = len(task.robots), len(task.assets), len(world.place_names)
    stands, at, opened = state.stands, state.at, state.opened
    things_at: dict[str, Point] = {}
    poses: dict[str, Pose] = {}
    on_place: dict[int, list[int]] = {}
    for thing, node in enumerate(at[:things]):
        on_place.setdefault(node, []).append(thing)
    roots = world.roots(state)
    thing_roots, roots = roots[places : places + things], roots[places + things :]
    solid = [box for box in found.places.values() if box.top > 0.1]

    def settle(thing: int) -> Point:
        name = task.assets[thing].name
        node = at[thing]
        if name in things_at:
            return things_at[name]
        if node < places:
            # Everything keeps its slot when a neighbour leaves: slots go by the number of the thing.
            shares = node >= places - robots  # at a robot's spot fixtures lie beside the rest
            on = [i for i in on_place[node] if shares or base(task.assets[i].name) not in FIXTURES]
            slot = (on.index(thing), len(on)) if thing in on else (0, 1)
            point = _place_point(task, node, shares, *slot)
        elif node < places + things:
            x, y, z = settle(node - places)
            on = on_place[node]
            point = x + (on.index(thing) - (len(on) - 1) / 2) * 0.22, y + 0.05, z + 0.06
        else:
            pose = stand(node - places - things)
            on = on_place[node]
            side = pose.turn + (0.7 if on.index(thing) else -0.7)
            point = pose.x + 0.28 * math.cos(side), pose.y + 0.28 * math.sin(side), 0.9
        things_at[name] = point
        return point

    def stand(robot: int) -> Pose:
        name = task.robots[robot].name
        if name in poses:
            return poses[name]
        node, place = stands[robot], roots[robot]
        beside = roots[:robot].count(place)
        if place >= places - robots:
            owner = world.place_names[place]
            pose = Pose(*found.spots[owner])
            if owner != name or node != place:
                angle = pose.turn + 2.4 + beside
                pose = Pose(pose.x + 0.55 * math.cos(angle), pose.y + 0.55 * math.sin(angle), pose.turn)
        else:
            box = found.places.get(world.place_names[place]) or found.room
            target = settle(node - places)[:2] if places <= node < places + things else None
            pose = in_front(box, found.room, beside, target)
        pose = _aside(pose, list(poses.values()), found.room, solid) if task.robots[robot].kind != "arm" else pose
        poses[name] = pose
        return pose

    for robot in range(robots):
        if roots[robot] >= 0:
            stand(robot)
    located: dict[str, Located] = {}
    inside = [node - places for node in at]
    for thing in range(things):
        if thing_roots[thing] >= 0:
            located[task.assets[thing].name] = Located(*settle(thing), *_around(task, inside, opened, thing))
    return Positions(poses, located, found)


def _around(task: KitchenTask, inside: list[int], opened: Sequence[int], thing: int) -> tuple[Any, str, str]:
    """What a thing is in, and so on; who has all that; what closed thing hides it, the outermost if several do.

    `inside` has for each thing the number of the thing that it is in; behind all things the robots follow.
    """
    things, within = len(task.assets), inside[thing]
    around: list[str] = []
    doors = ""
    while 0 <= within < things:
        around.append(task.assets[within].name)
        if not opened[within] and base(around[-1]) in OPENABLE:
            doors = around[-1]
        within = inside[within]
    return tuple(around), task.robots[within - things].name if within >= things else "", doors


@once_a_task
def _place_point(task: KitchenTask, node: int, at_robot: bool, slot: int, count: int) -> Point:
    """Where the thing in one of so many slots of a place lies: on furniture, or around the spot of a robot."""
    found, place = scene(task), task.world.place_names[node]
    if at_robot and place not in found.places:
        x, y, turn = found.spots[place]
        angle = turn + (slot - (count - 1) / 2) * 1.3
        return x + 0.6 * math.cos(angle), y + 0.6 * math.sin(angle), 0.95
    box = found.places.get(place) or found.room
    x, y = _along(box, slot, count)
    for robot in task.robots:
        arm = found.spots[robot.name][:2] if robot.kind == "arm" else None
        if arm and math.dist((x, y), arm) < CLEAR:
            x, y = _beside_arm(box, (x, y), arm)
    return x, y, box.top


_ASIDE = [(0.0, 0.0)] + [
    (far * math.cos(k * math.pi / 4), far * math.sin(k * math.pi / 4))
    for far in (0.3, 0.6, 0.9, 1.2, 1.6)
    for k in range(8)
]


def _aside(pose: Pose, others: list[Pose], room: Box, solid: list[Box]) -> Pose:
    """The nearest point, not on furniture, at which a robot hides nobody who stands there already."""
    for right, up in _ASIDE:
        x, y = room.within(pose.x + right, pose.y + up, 0.2)
        free = not any(box.x0 < x < box.x1 and box.y0 < y < box.y1 for box in solid)
        if free and all(math.dist((x, y), other[:2]) >= APART for other in others):
            return Pose(x, y, pose.turn)
    return pose


def _along(box: Box, slot: int, count: int) -> tuple[float, float]:
    """Points spread over a piece of furniture, along its longer side, in two rows when there are many."""
    (wide, deep), rows = box.sides, 1 if count <= 3 else 2
    columns = math.ceil(count / rows)
    share = (slot % columns + 0.5) / columns
    other = 0.5 if rows == 1 else (0.28, 0.72)[slot // columns]
    if box.is_wide:
        return box.x0 + share * wide, box.y0 + other * deep
    return box.x0 + other * wide, box.y0 + share * deep


def _beside_arm(box: Box, point: tuple[float, float], arm: tuple[float, float]) -> tuple[float, float]:
    """The nearest point of a piece of furniture, not at its very edge, that an arm on it does not hide."""
    x, y = box.middle
    inner = Box(min(box.x0 + 0.15, x), min(box.y0 + 0.15, y), max(box.x1 - 0.15, x), max(box.y1 - 0.15, y), box.top)
    x, y = inner.within(*point)
    options = [inner.within(arm[0] + side * CLEAR, y) for side in (1, -1)]
    options += [inner.within(x, arm[1] + side * CLEAR) for side in (1, -1)]
    return max(options, key=lambda at: (min(math.dist(at, arm), CLEAR), -math.dist(at, point)))


def in_front(box: Box, room: Box, beside: int, target: tuple[float, float] | None) -> Pose:
    """In front of furniture, on the side of the room's middle, at the thing it is about; others stand beside it."""
    x, y = target or box.middle
    step = (0, 0.62, -0.62, 1.24, -1.24, 1.86, -1.86)[beside % 7]
    gaps, off = wall_gaps(box, room), np.subtract(box.middle, room.middle)
    ways: tuple[Way, Way] = ((0, -1), (0, 1)) if box.is_wide else ((-1, 0), (1, 0))
    dx, dy = max(ways, key=lambda way: (gaps[way] > 0.7, off @ way >= 0))
    if dx:
        point = box.x1 + REACH if dx < 0 else box.x0 - REACH, y + step
    else:
        point = x + step, box.y1 + REACH if dy < 0 else box.y0 - REACH
    return Pose(*room.within(*point, 0.3), math.atan2(dy, dx))
