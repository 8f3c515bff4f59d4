"""The ways of hands in a 3D scene: each robot is stood along its way, and its end effector is looked up there."""

from __future__ import annotations

import math
from itertools import pairwise

from mmgames.embodied._scenes.ego import HEIGHT, WIDTH, Camera
from mmgames.embodied._scenes.positions import Pose
from mmgames.embodied._scenes.rendered import ego_lens
from mmgames.embodied._scenes.routes import POINTS, Path, resample, route
from mmgames.embodied._scenes.solids import Point
from mmgames.embodied._scenes.stage import Placed, Stage, matrices, pixel

STEP = 0.1
"""A robot is stood anew after so much of its way, in metres."""

GRIP = 0.05
"""Hands go for a point so far above the foot of a thing, in metres."""


def paths(stage: Stage, camera: Camera, robots: tuple[str, ...], targets: tuple[str, ...]) -> tuple[Path, ...]:
    """Ways from where the hands are now to what they go for, as pixels of a picture of 640 by 360."""
    kept = stage.task.world.kept
    key = ("hands", type(stage).__name__, camera, robots, targets)
    if key in kept:
        return kept[key]
    placed = stage.pose(stage.task.world.start)
    lens = stage.aim(ego_lens(camera, WIDTH))
    seen = matrices(lens)
    found = []
    for robot, target in zip(robots, targets, strict=True):
        line = resample(way(stage, placed, robot, target), POINTS)
        points = [pixel(*seen, point)[:2] for point in line]
        found.append(tuple((min(max(x, 0.0), WIDTH - 1.0), min(max(y, 0.0), HEIGHT - 1.0)) for x, y in points))
    stage.pose(stage.task.world.start)
    kept[key] = tuple(found)
    return kept[key]


def way(stage: Stage, placed: Placed, robot: str, target: str) -> list[Point]:
    """Where a robot's hand passes, in metres, from its place to the target."""
    pose = placed.positions.robots[robot]
    end = end_of(placed, target)
    points = [placed.hands[robot][0]]
    if next(one.kind for one in stage.task.robots if one.name == robot) != "arm":
        walk = route(placed.positions.scene, (pose.x, pose.y), end[:2])
        length = sum(math.dist(a, b) for a, b in pairwise(walk))
        steps = resample([(x, y, 0.0) for x, y in walk], max(2, math.ceil(length / STEP) + 1)) if length else []
        for (x, y, _), (x1, y1, _) in pairwise(steps):
            heading = math.atan2(y1 - y, x1 - x)
            points.append(stage.stand(robot, Pose(x1, y1, heading))[0])
    return [*points, end]


def end_of(placed: Placed, name: str) -> Point:
    """Where a hand goes for something that a plan names."""
    if name in placed.things:
        x, y, z = placed.things[name]
        return x, y, z + GRIP
    if name in placed.hands:
        return placed.hands[name][0]
    box = placed.positions.scene.places[name]
    return (*box.middle, box.top)
