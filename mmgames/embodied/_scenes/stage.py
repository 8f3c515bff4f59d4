"""A kitchen in SAPIEN: built once for a task, then posed where the world says, without a step of physics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._scenes import furniture, renderer, solid_bodies
from mmgames.embodied._scenes.above import FLOORS, surface
from mmgames.embodied._scenes.bodies import Model, body_of
from mmgames.embodied._scenes.geometry import COUNTER, PLINTH, Box, scene
from mmgames.embodied._scenes.models import inside, model, reach
from mmgames.embodied._scenes.positions import Pose, Positions, locate
from mmgames.embodied._scenes.shots import FAR, MSAA, NEAR, Layer3D, RobotBody, in_front, looking, show, take
from mmgames.embodied._scenes.solids import Point, Solids, scaled, slab, turned, yaw
from mmgames.embodied._world.names import FIXTURES, base
from mmgames.embodied._world.task import KitchenTask
from mmgames.kernels.records import RecordState

SPREAD = 0.17
"""How far apart things stand in one container, in metres."""

USUAL, MOST_ENLARGED = 5.2, 1.35
"""In rooms wider than so many metres things are larger by as much, up to a limit: pictures show whole rooms."""

BACKDROPS = 4
"""Of so many cameras the picture of what does not move is kept."""

OPENING = ("cabinet", "drawer")


class Lens(NamedTuple):
    """Where a camera hangs, the way it looks (radians) and its focal length in pixels of a picture `width` wide."""

    eye: Point
    yaw: float
    pitch: float
    focal: float
    width: int
    height: int


class RenderedShot(NamedTuple):
    """A picture and the matrices it was taken with, in OpenCV's convention: world -> camera -> pixels."""

    picture: np.ndarray
    intrinsic: np.ndarray
    extrinsic: np.ndarray

    def pixel(self, point: Point) -> tuple[float, float, float]:
        return pixel(self.intrinsic, self.extrinsic, point)


def pixel(intrinsic: np.ndarray, extrinsic: np.ndarray, point: Point) -> tuple[float, float, float]:
    """Where a point is in a picture, and how far ahead of the camera; behind it the last is not positive."""
    x, y, z = extrinsic[:, :3] @ np.array(point) + extrinsic[:, 3]
    ahead = max(float(z), NEAR)
    u, v, _ = intrinsic @ np.array([x, y, ahead]) / ahead
    return float(u), float(v), float(z)


class Wall(NamedTuple):
    """One wall: the way it looks into the room, a point of it on the floor, and what shows it."""

    way: tuple[int, int]
    corner: tuple[float, float]
    entity: Any


class Placed(NamedTuple):
    """Where everything is in 3D: the foot of every thing, every robot's hands, and the plan it follows from."""

    things: dict[str, Point]
    hands: dict[str, tuple[Point, ...]]
    positions: Positions


class Stage:
    """Furniture, robots and things of one task. `pose` moves them, `shoot` takes a picture."""

    def __init__(self, task: KitchenTask, labels: bool = True) -> None:
        self.labels = labels  # whether names will be printed on its pictures
        _, self.sapien = renderer.start_sapien()
        self.task, self.plan = task, scene(task)
        self.enlarged = min(max((self.plan.room.x1 - self.plan.room.x0) / USUAL, 1.0), MOST_ENLARGED)
        self.palette = FLOORS[task.style % len(FLOORS)]
        sapien = self.sapien
        sapien.render.set_msaa(MSAA)
        with renderer.quietly():
            self.world = sapien.Scene([sapien.physx.PhysxCpuSystem(), sapien.render.RenderSystem()])
        self.cameras: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.walls: list[Wall] = []
        self.room = self.furnish()
        self._stand_arms()
        self.fixed: set[Any] = set(self.world.entities)
        self.backdrops: dict[Lens, Layer3D] = {}
        self.robots = {robot.name: self._robot(robot.type) for robot in task.robots}
        self.things: dict[str, dict[tuple[bool, bool], Any]] = {asset.name: {} for asset in task.assets}

    def furnish(self) -> Box:
        """Build what does not move; the box inside its walls."""
        plan, room = self.plan, self.plan.room
        built = {asset.at for asset in self.task.assets if base(asset.name) in OPENING}
        self._entity(furniture.floor(room, self.palette, self.task.style))
        for way, solids in furniture.walls(room, self.palette, self._windows(built)).items():
            corner = (room.x0 if way[0] > 0 else room.x1, room.y0 if way[1] > 0 else room.y1)
            self.walls.append(Wall(way, corner, self._entity(solids)))
        sinks = {asset.at for asset in self.task.assets if base(asset.name) == "sink"}
        seen: set[Box] = set()
        for name, box in plan.places.items():
            if box in seen or name in built:
                continue
            seen.add(box)
            shelf = name in plan.shelves
            floor, _, edge = self.palette
            palette = (floor, surface(name, self.task.style, self.labels), edge)
            self._entity(furniture.piece(name, box, room, palette, name in plan.sides, shelf, name in sinks))
        return room

    def _windows(self, built: set[str]) -> dict[furniture.Way, float]:
        """A window in every wall that has room for one; where, is drawn from the task's seed."""
        plan = self.plan
        tall = [box for name, box in plan.places.items() if name in plan.shelves or name in built or box.top <= PLINTH]
        rng = np.random.default_rng([11, self.task.seed, self.task.layout])
        spots = furniture.window_spots(plan.room, tall)
        return {way: free[int(rng.integers(len(free)))] for way, free in spots.items()}

    def spot(self, name: str, at: Point) -> Point:
        """Where something stands that the plan has at a point."""
        return at

    def _robot(self, type: str) -> Any:
        found = body_of(type)
        if isinstance(found, Model):
            return ModelBody(self, found)
        return ShapeBody(self, self._entity(found.solids), found.hands)

    def _stand_arms(self) -> None:
        """A plinth under every arm that no furniture carries."""
        for robot in self.task.robots:
            if robot.kind == "arm":
                x, y, _ = self.plan.spots[robot.name]
                if self._height(x, y) is None:
                    self._entity((slab((0.36, 0.36, COUNTER), (x, y, 0), (120, 124, 132)),))

    def _height(self, x: float, y: float) -> float | None:
        tops = [
            box.top for name, box in self.plan.places.items()
            if name not in self.plan.shelves and box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 and box.top > 0.3
        ]  # fmt: skip
        return max(tops, default=None)

    def _entity(self, solids: Solids) -> Any:
        entity = self.sapien.Entity()
        entity.add_component(solid_bodies.component(self.sapien, solids))
        self.world.add_entity(entity)
        return entity

    def pose(self, state: RecordState) -> Placed:
        """Put everything where a state of the world has it."""
        task, positions = self.task, locate(self.task, state)
        opened, active = state.opened, state.active
        hands = {}
        for robot in task.robots:
            for entity in self.robots[robot.name].entities:
                show(entity, robot.name in positions.robots)
            if robot.name in positions.robots:
                hands[robot.name] = self.stand(robot.name, positions.robots[robot.name])
        held: dict[str, int] = {}
        feet: dict[str, Point] = {}
        numbers = {asset.name: i for i, asset in enumerate(task.assets)}

        def foot(name: str) -> Point:
            if name in feet:
                return feet[name]
            thing = positions.things[name]
            if thing.holder and hands[thing.holder]:
                grip = held.get(thing.holder, 0)
                held[thing.holder] = grip + 1
                x, y, z = hands[thing.holder][grip % len(hands[thing.holder])]
                at = (x, y, z - 0.05)
            elif thing.inside:
                at = self._within(
                    name, thing.inside, positions, foot(thing.inside), bool(opened[numbers[thing.inside]])
                )
            else:
                at = self.spot(name, self._beside(name, (thing.x, thing.y, thing.z), feet))
            feet[name] = at
            return at

        for i, asset in enumerate(task.assets):
            if asset.name not in positions.things:  # it is not known where it is
                for entity in self.things[asset.name].values():
                    show(entity, False)
                continue
            at = foot(asset.name)
            self._show(asset.name, at, bool(opened[i]), bool(active[i]), positions.things[asset.name].hidden)
        return Placed(feet, hands, positions)

    def _beside(self, name: str, at: Point, feet: dict[str, Point]) -> Point:
        """Where a thing stands on its furniture: beside those that stand there already."""
        x, y, z = at
        on = (box for box in self.plan.places.values() if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1)
        box = next((box for box in on if abs(box.top - z) < 1e-3), None)
        if box is None or base(name) in FIXTURES:
            return at
        loose = [
            (foot, reach(base(other))[0] * self.enlarged) for other, foot in feet.items()
            if base(other) not in FIXTURES and abs(foot[2] - z) < 0.05
        ]  # fmt: skip
        return furniture.free_spot(box, at, reach(base(name))[0] * self.enlarged, loose)

    def _within(self, name: str, container: str, positions: Positions, at: Point, opened: bool) -> Point:
        what = base(container)
        others = [thing.name for thing in positions.things.values() if thing.inside == container]
        aside = (others.index(name) - (len(others) - 1) / 2) * SPREAD * (1.8 if what in OPENING else 1.0)
        x, y, z = at
        lift = inside(what) * (1.0 if what in FIXTURES else self.enlarged)
        place = next(asset.at for asset in self.task.assets if asset.name == container)
        if what in FIXTURES and place in self.plan.places:
            box = self.plan.places[place]
            way = furniture.front(box, self.plan.room)
            dx, dy = furniture.inside(box, way, what, opened) if what in OPENING else (0.0, 0.0)
            lift = furniture.DRAWER_FLOOR if what == "drawer" else lift
            return x + dx - aside * math.sin(way), y + dy + aside * math.cos(way), z + lift
        return x + aside, y, z + lift

    @contextmanager
    def without(self, robot: str | None) -> Iterator[None]:
        """While a picture is taken through a robot's own eyes, its body is not shown."""
        shown = self.robots[robot].entities if robot else []
        for entity in shown:
            show(entity, False)
        yield
        for entity in shown:
            show(entity, True)

    def stand(self, robot: str, pose: Pose) -> tuple[Point, ...]:
        """Put one robot somewhere; where its hands are then."""
        kind = next(one.kind for one in self.task.robots if one.name == robot)
        z = (self._height(pose.x, pose.y) or COUNTER) if kind == "arm" else 0.0
        return self.robots[robot].stand(pose, z)

    def _show(self, name: str, at: Point, opened: bool, on: bool, hidden: bool) -> None:
        """Show a thing as it looks now: its other looks are put away."""
        what = base(name)
        look = (opened and what in OPENING, on)
        looks = self.things[name]
        if look not in looks:
            looks[look] = self._look(name, *look)
        for other, entity in looks.items():
            show(entity, other == look and not hidden)
        if what not in OPENING:
            place = next(asset.at for asset in self.task.assets if asset.name == name)
            box = self.plan.places.get(place)
            way = furniture.front(box, self.plan.room) if what in FIXTURES and box else _aside(name)
            looks[look].set_pose(self.sapien.Pose(list(at), list(yaw(way))))

    def _look(self, name: str, opened: bool, on: bool) -> Any:
        what = base(name)
        if what in OPENING:
            place = next(asset.at for asset in self.task.assets if asset.name == name)
            box = self.plan.places[place]
            build = furniture.cabinet if what == "cabinet" else furniture.drawer
            return self._entity(build(box, furniture.front(box, self.plan.room), opened, self.palette))
        return self._entity(model(name, on) if what in FIXTURES else scaled(model(name, on), self.enlarged))

    def aim(self, lens: Lens) -> Any:
        """The camera of a lens, where it should be; its matrices are those of the picture it takes."""
        camera, entity = self._camera(lens.width, lens.height)
        camera.set_fovy(2 * math.atan(lens.height / 2 / lens.focal), compute_x=True)
        way = turned((math.cos(lens.pitch), 0, math.sin(lens.pitch)), yaw(lens.yaw))
        entity.set_pose(looking(self.sapien, lens.eye, way))
        return camera

    def shoot(self, lens: Lens) -> RenderedShot:
        """A picture of things as they stand: in front of what does not move, or behind it."""
        camera = self.aim(lens)
        if lens not in self.backdrops:
            while len(self.backdrops) >= BACKDROPS:
                self.backdrops.pop(next(iter(self.backdrops)))
            self.backdrops[lens] = self._backdrop(camera, lens)
        backdrop, moving = self.backdrops[lens], self.take(camera)
        return RenderedShot(in_front(moving, backdrop), *matrices(camera))

    def fixed_before(self, eye: Point) -> set[Any]:
        """What does not move, without the walls that a camera at a point is behind of."""
        return self.fixed - {
            wall.entity for wall in self.walls
            if sum((eye[i] - wall.corner[i]) * wall.way[i] for i in range(2)) <= 0
        }  # fmt: skip

    def _backdrop(self, camera: Any, lens: Lens) -> Layer3D:
        """What does not move, alone. It is hidden again afterwards."""
        moving = [entity for entity in self.world.entities if entity not in self.fixed and _is_visible(entity)]
        fixed = self.fixed_before(lens.eye)
        for entity in self.fixed:
            show(entity, entity in fixed)
        for entity in moving:
            show(entity, False)
        found = self.take(camera)
        for entity in self.fixed:
            show(entity, False)
        for entity in moving:
            show(entity, True)
        return found

    def take(self, camera: Any) -> Layer3D:
        return take(self.world, camera)

    def _camera(self, width: int, height: int) -> tuple[Any, Any]:
        if (width, height) not in self.cameras:
            camera = self.sapien.render.RenderCameraComponent(width, height, str(renderer.SHADER_FOLDER))
            camera.near, camera.far = NEAR, FAR
            entity = self.sapien.Entity()
            entity.add_component(camera)
            self.world.add_entity(entity)
            self.cameras[width, height] = (camera, entity)
        return self.cameras[width, height]


def _is_visible(entity: Any) -> bool:
    return any(getattr(component, "visibility", 0.0) > 0 for component in entity.components)


def matrices(camera: Any) -> tuple[np.ndarray, np.ndarray]:
    """Intrinsic and extrinsic matrix of a camera, in OpenCV's convention."""
    return np.array(camera.get_intrinsic_matrix(), float), np.array(camera.get_extrinsic_matrix(), float)


class ModelBody(RobotBody):
    """A robot from its description that stands where the plan has it."""

    def stand(self, pose: Pose, z: float) -> tuple[Point, ...]:
        at = self.sapien.Pose([pose.x, pose.y, z + self.model.root], list(yaw(pose.turn)))
        self.articulation.set_root_pose(at)
        return tuple(tuple(map(float, hand.entity_pose.p)) for hand in self.hands)  # type: ignore[misc]


class ShapeBody:
    """A robot of simple shapes."""

    def __init__(self, stage: Stage, entity: Any, hands: tuple[Point, ...]) -> None:
        self.sapien, self.entity, self.hands = stage.sapien, entity, hands
        self.entities = [entity]

    def stand(self, pose: Pose, z: float) -> tuple[Point, ...]:
        turn = yaw(pose.turn)
        self.entity.set_pose(self.sapien.Pose([pose.x, pose.y, z], list(turn)))
        found = []
        for hand in self.hands:
            x, y, up = turned(hand, turn)
            found.append((pose.x + x, pose.y + y, z + up))
        return tuple(found)


def _aside(name: str) -> float:
    """Things lie a little differently each; which way follows from the name."""
    return (sum(map(ord, name)) % 7 - 3) * 0.25 - 0.6
