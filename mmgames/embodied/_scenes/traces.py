"""Paths of robots on the picture that one of them sees: five points each, worked out from the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mmgames.embodied._scenes import scenes
from mmgames.embodied._scenes.ego import HEIGHT, WIDTH, Camera, camera_of
from mmgames.embodied._scenes.positions import Positions, locate
from mmgames.embodied._scenes.routes import POINTS, Path, resample, route
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask

HAND = 0.9


@dataclass(frozen=True)
class RobotTrace:
    """Where two robots go: pixels of a picture of 640 by 360, and what each of them is about to do."""

    ego: str
    partner: str
    camera: Camera
    look_at: tuple[tuple[float, float], ...]
    paths: tuple[Path, Path]
    targets: tuple[str, str]


def trace(task: KitchenTask, plan: Plan, ego: str, partner: str, scene: str = "drawn") -> RobotTrace:
    """The ways of two robots to the first things they go to in a plan, as the first of them sees it.

    In a 3D scene they are those of the robots' own hands, seen by the scene's own camera.
    """
    positions = locate(task, task.world.start)
    targets = (_target(plan, ego), _target(plan, partner))
    ends = [point_of(positions, name) for name in targets]
    other = positions.robots[partner]
    look_at = (*((x, y) for x, y, _ in ends), (other.x, other.y))
    camera = camera_of(task, positions, ego, look_at)
    if scene != "drawn":
        from mmgames.embodied._scenes import hands

        seen = scenes.on_stage(scene, task, lambda stage: hands.paths(stage, camera, (ego, partner), targets))
        return RobotTrace(ego, partner, camera, look_at, seen, targets)
    paths = []
    for name, end in zip((ego, partner), ends, strict=True):
        pose = positions.robots[name]
        way = route(positions.scene, (pose.x, pose.y), (end[0], end[1]))
        points = [(x, y, HAND) for x, y in way] + [end]
        paths.append(project(camera, resample(points, POINTS)))
    return RobotTrace(ego, partner, camera, look_at, (paths[0], paths[1]), targets)


def _target(plan: Plan, robot: str) -> str:
    for step in plan:
        if robot in step:
            return step[robot][1]
    raise ValueError(f"{robot} does nothing in this plan.")


def point_of(positions: Positions, name: str) -> tuple[float, float, float]:
    """Where something is that a plan names, in metres."""
    if name in positions.things:
        thing = positions.things[name]
        return thing.x, thing.y, thing.z
    if name in positions.robots:
        return (*positions.robots[name][:2], HAND)
    box = positions.scene.places[name]
    return (*box.middle, box.top)


def project(camera: Camera, points: Sequence[tuple[float, float, float]]) -> Path:
    """Points in space as points of the picture; what lies outside is moved to its edge."""
    found = []
    for point in points:
        x, y = camera.pixel(point)
        found.append((min(max(x, 0.0), WIDTH - 1.0), min(max(y, 0.0), HEIGHT - 1.0)))
    return tuple(found)
