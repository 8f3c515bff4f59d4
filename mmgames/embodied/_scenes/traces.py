"""Paths of robots on the picture that one of them sees: five points each, worked out from the scene.

A path leads from the hand that is drawn (a dog's is its nose) over the floor, around the furniture, to the first place
from which what the robot goes for can be reached, and from there to it. Kitchens are asked about only if all of that is
in the picture and at least SEEN of every robot and of what it goes for can be seen.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mmgames.drawing.canvas import INK, WHITE
from mmgames.embodied._scenes import drawn, scenes
from mmgames.embodied._scenes.camera import HEIGHT, WIDTH, Camera, cameras
from mmgames.embodied._scenes.drawing_list import DrawingList, drawing_list
from mmgames.embodied._scenes.geometry import POINTS, Path, resample, route
from mmgames.embodied._scenes.icons import ROBOT_COLOURS
from mmgames.embodied._scenes.positions import Positions, locate, number_of
from mmgames.embodied._scenes.raster import packed
from mmgames.embodied._scenes.solids import Point, ball
from mmgames.embodied._scenes.staging import GRIP
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask

SEEN = 0.5
"""At least this share of every robot that acts, and of what it goes for, is seen: not hidden, not cut off."""

REACH = 0.8
"""What is so near can be reached, in metres over the floor."""

FINE = 60
"""Of so many points in space a line on a picture is made: straight lines stay straight, but not equally divided."""

TRIED = 40
"""So many cameras from which all points are in the picture are tried."""

LOOKED = 256
"""How wide the pictures are on which it is counted what is seen."""

RADIUS, THICK = 15.0, 3.0
"""In pixels of a picture of 640 by 360. Rings of robots that go for the same thing lie around each other."""


class Sight(NamedTuple):
    """What is needed for the picture of a question: robots, the ways they look (where they go), the camera of the first
    of them, and where on a picture of 640 by 360 that is which each of them goes for."""

    robots: tuple[str, ...]
    turns: tuple[float, ...]
    camera: Camera
    ends: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class RobotTrace:
    """Where robots go: pixels of a picture of 640 by 360 that the first of them sees, and what each goes for."""

    sight: Sight
    paths: tuple[Path, ...]
    targets: tuple[str, ...]
    seen: float  # of the robot or thing of which least is seen, the share that is

    @property
    def robots(self) -> tuple[str, ...]:
        return self.sight.robots

    @property
    def in_sight(self) -> bool:
        """Whether all points lie inside the picture, none moved to its edge, and enough is seen."""
        inside = all(0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1 for path in self.paths for x, y in path)
        return inside and self.seen >= SEEN


def trace(task: KitchenTask, plan: Plan, *robots: str, scene: str = "drawn") -> RobotTrace:
    """The ways of robots to the first things they go to in a plan, as the first of them sees it.

    The camera is the first that shows enough of everything, or else the one that shows most. In a 3D scene the hands
    are those of its own robots, seen by the same camera.
    """
    positions, shown = locate(task, task.world.start), drawing_list(task, task.world.start)
    targets = tuple(next(step[name][1] for step in plan if name in step) for name in robots)
    numbers = [number_of(task, name) for name in robots]
    feet = drawn.place(shown)
    ends = [end_of(positions, feet, shown, target) for target in targets]
    walks = [_walk(task, positions, name, end) for name, end in zip(robots, ends, strict=True)]
    nexts = [(*walk[1:], end)[0] for walk, end in zip(walks, ends, strict=True)]
    turns = tuple(math.atan2(to[1] - walk[0][1], to[0] - walk[0][0]) for walk, to in zip(walks, nexts, strict=True))
    shown = looking_ahead(task, shown, robots, turns)
    hands = [drawn.hands_of(shown.plan, shown.robots[number])[0] for number in numbers]
    lines = [along(*parts) for parts in zip(hands, walks, ends, strict=True)]
    # Balls stand for the hands, and for the ends of ways to places.
    points = [*hands, *{end for name, end in zip(targets, ends, strict=True) if name not in feet}]
    mark = packed((ball(0.09, (0, 0, 0), INK),))
    balls = [drawn.Piece(f"point {number}", mark, point) for number, point in enumerate(points)]
    wanted = {*numbers, *(name for name in targets if name in feet), *(one.what for one in balls)}
    best: tuple[tuple[float, float], Camera] | None = None
    tried = 0
    ego = task.robots[number_of(task, robots[0])]
    for camera in cameras(ego.kind, positions.robots[ego.name], [point for line in lines for point in line]):
        inside = sum(camera.shows(point) for line in lines for point in line)
        if best is None or inside >= best[0][0]:
            everything = inside == sum(map(len, lines))
            tried += everything
            share = min(drawn.shares(shown, camera.scaled(LOOKED), balls, wanted)) if everything else 0.0
            best = max(best or ((-1, 0.0), camera), ((inside, share), camera), key=lambda one: one[0])
            if share >= SEEN or tried == TRIED:
                break
    assert best is not None
    (_, share), camera = best
    if scene != "drawn":
        placed = scenes.on_stage(scene, task, lambda stage: stage.arrange(shown))
        own = (placed.hands[name][0] for name in robots)
        lines = [along(*parts) for parts in zip(own, walks, ends, strict=True)]
    paths = tuple(project(camera, line) for line in lines)
    return RobotTrace(Sight(robots, turns, camera, tuple(path[-1] for path in paths)), paths, targets, share)


def picture(found: Sight, scene: str, task: KitchenTask, width: int, labels: bool = True) -> np.ndarray:
    """What the first of the robots sees over its own shoulder, with a ring around what each of them goes for."""
    shown = looking_ahead(task, drawing_list(task, task.world.start, labels), found.robots, found.turns)
    seen = scenes.through(scene, task, shown, found.camera, number_of(task, found.robots[0]), width)
    types = {robot.name: robot.type for robot in task.robots}
    ring(seen, [(types[name], end) for name, end in zip(found.robots, found.ends, strict=True)])
    return seen


def ring(picture: np.ndarray, ends: Sequence[tuple[str, tuple[float, float]]]) -> None:
    """Draw a ring for each (robot type, point of a picture of 640 by 360) on a picture of any size."""
    scale = picture.shape[1] / WIDTH
    for number, (robot, (x, y)) in enumerate(ends):
        around = sum(abs(x - other) + abs(y - level) < RADIUS for _, (other, level) in ends[:number])
        radius = (RADIUS + around * 2 * THICK) * scale
        reach = int(radius + 3 * scale) + 1
        left, top = max(0, int(x * scale) - reach), max(0, int(y * scale) - reach)
        part = picture[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
        rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        apart = np.abs(np.hypot(columns - x * scale, rows - y * scale) - radius)
        part[apart < (THICK / 2 + 1) * scale] = WHITE
        part[apart < max(0.7, THICK / 2 * scale)] = ROBOT_COLOURS[robot]


def looking_ahead(task: KitchenTask, shown: DrawingList, robots: Sequence[str], turns: Sequence[float]) -> DrawingList:
    """The same with robots that look where they go."""
    new, seen = {number_of(task, robot): turn for robot, turn in zip(robots, turns, strict=True)}, shown.robots
    turned = (one._replace(pose=one.pose._replace(turn=new.get(one.number, one.pose.turn))) for one in seen)
    return shown._replace(robots=tuple(turned))


def _walk(task: KitchenTask, positions: Positions, robot: str, end: Point) -> list[tuple[float, float]]:
    """The way over the floor; an arm stays where it is."""
    pose = positions.robots[robot]
    if task.robots[number_of(task, robot)].kind == "arm":
        return [(pose.x, pose.y)]
    return route(positions.scene, (pose.x, pose.y), end[:2], reach=REACH)


def along(hand: Point, walk: Sequence[tuple[float, float]], end: Point) -> list[Point]:
    """Where a hand passes: along the body's way to its last place, unless that is no step away, and then to the end."""
    steps = walk[1:] if math.dist(walk[0], walk[-1]) > math.dist(walk[0], hand[:2]) else walk[1:-1]
    return [hand, *((x, y, hand[2]) for x, y in steps), end]


def acting(plan: Plan, robots: Sequence[str]) -> tuple[str, ...]:
    """Those of the robots that do something in a plan."""
    return tuple(name for name in robots if any(name in step for step in plan))


def end_of(positions: Positions, feet: dict[str, Point], shown: DrawingList, name: str) -> Point:
    """Where a hand goes for something that a plan names."""
    if name in positions.things:
        x, y, z = feet.get(name) or positions.things[name][:3]  # what is behind doors is not shown
        return x, y, z + GRIP
    robot = next((one for one in shown.robots if one.name == name), None)
    if robot is not None:
        return drawn.hands_of(shown.plan, robot)[0]
    box = positions.scene.places[name]
    return (*box.middle, box.top)


def project(camera: Camera, points: Sequence[Point]) -> Path:
    """A line in space as points at equal distances on the picture; what lies outside is moved to its edge."""
    found = []
    for point in resample(points, FINE):
        x, y = camera.pixel(point)
        found.append((min(max(x, 0.0), WIDTH - 1.0), min(max(y, 0.0), HEIGHT - 1.0)))
    return tuple(resample(found, POINTS))
