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
    """Where robots go: pixels of a picture of 640 by 360 that the first of them sees, and what each goes for."""

    robots: tuple[str, ...]
    camera: Camera
    look_at: tuple[tuple[float, ...], ...]
    paths: tuple[Path, ...]
    targets: tuple[str, ...]

    @property
    def ends(self) -> tuple[tuple[float, float], ...]:
        """Where what they go for is in the picture."""
        return tuple(path[-1] for path in self.paths)

    @property
    def in_sight(self) -> bool:
        """Whether all points lie inside the picture, none moved to its edge."""
        return all(0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1 for path in self.paths for x, y in path)


def trace(task: KitchenTask, plan: Plan, *robots: str, scene: str = "drawn") -> RobotTrace:
    """The ways of robots to the first things they go to in a plan, as the first of them sees it.

    In a 3D scene they are those of the robots' own hands, seen by the scene's own camera.
    """
    positions = locate(task, task.world.start)
    targets = tuple(_target(plan, name) for name in robots)
    lines = []
    for name, target in zip(robots, targets, strict=True):
        pose, end = positions.robots[name], point_of(positions, target)
        way = route(positions.scene, (pose.x, pose.y), (end[0], end[1]))
        lines.append(resample([*((x, y, HAND) for x, y in way), end], POINTS))
    partners = ((positions.robots[name].x, positions.robots[name].y) for name in robots[1:])
    look_at = (*(point for line in lines for point in line), *partners)
    camera = camera_of(task, positions, robots[0], look_at)
    if scene != "drawn":
        from mmgames.embodied._scenes import hands

        paths = scenes.on_stage(scene, task, lambda stage: hands.paths(stage, camera, robots, targets))
    else:
        paths = tuple(project(camera, line) for line in lines)
    return RobotTrace(robots, camera, look_at, paths, targets)


def acting(plan: Plan, robots: Sequence[str]) -> tuple[str, ...]:
    """Those of the robots that do something in a plan."""
    return tuple(name for name in robots if any(name in step for step in plan))


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
