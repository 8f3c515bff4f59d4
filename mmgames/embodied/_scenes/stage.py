"""A kitchen in SAPIEN: built once for a task, then posed where the world says, without a step of physics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._scenes import furniture, renderer, thinning
from mmgames.embodied._scenes.above import FLOORS, surface
from mmgames.embodied._scenes.bodies import Model, body_of, wheel_folder
from mmgames.embodied._scenes.geometry import COUNTER, Box, scene
from mmgames.embodied._scenes.models import INSIDE, LARGER, model
from mmgames.embodied._scenes.positions import Pose, Positions, locate
from mmgames.embodied._scenes.solids import Point, Solids, mesh, slab, turned, yaw
from mmgames.embodied._world.names import FIXTURES, base
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import MmgamesError

NEAR, FAR = 0.05, 40.0
MSAA = 1
SPREAD = 0.1
"""How far apart things stand in one container, in metres."""

OPENING = ("cabinet", "drawer")
UPWARDS = [math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0]
"""The turn that lets a model with y up stand."""

WORKTOP, LONG, BESIDE = "kitchen work area", 2.0, 0.12
"""The area that may have a sink of its own, how long it is at least then, and how far from the sink things stand."""


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
        self.palette = FLOORS[task.style % len(FLOORS)]
        sapien = self.sapien
        sapien.render.set_msaa(MSAA)
        with renderer.quietly():
            self.world = sapien.Scene([sapien.physx.PhysxCpuSystem(), sapien.render.RenderSystem()])
        self.cameras: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.walls: list[Wall] = []
        self.basin: tuple[furniture.Local, float, float] | None = None
        self.room = self.furnish()
        self.robots = {robot.name: self._robot(robot.type) for robot in task.robots}
        self.things: dict[str, dict[tuple[bool, bool], Any]] = {asset.name: {} for asset in task.assets}
        self._stand_arms()

    def furnish(self) -> Box:
        """Build what does not move; the box inside its walls."""
        plan, room = self.plan, self.plan.room
        self._entity(furniture.floor(room, self.palette))
        for way, solids in furniture.walls(room, self.palette).items():
            corner = (room.x0 if way[0] > 0 else room.x1, room.y0 if way[1] > 0 else room.y1)
            self.walls.append(Wall(way, corner, self._entity(solids)))
        sinks = {asset.at for asset in self.task.assets if base(asset.name) == "sink"}
        built = {asset.at for asset in self.task.assets if base(asset.name) in OPENING}
        seen: set[Box] = set()
        for name, box in plan.places.items():
            if box in seen or name in built:
                continue
            seen.add(box)
            if (name == "table" and self._table(box)) or (name == WORKTOP and not sinks and self._worktop(box)):
                continue
            shelf = name in plan.shelves
            floor, _, edge = self.palette
            palette = (floor, surface(name, self.task.style, self.labels), edge)
            self._entity(furniture.piece(name, box, room, palette, name in plan.sides, shelf, name in sinks))
        return room

    def _worktop(self, box: Box) -> bool:
        """The kitchen counter of ManiSkill's wheel, with its sink, where it does not have to be squeezed."""
        file = wheel_folder() / "utils/scene_builder/kitchen_counter/assets/kitchen_counter.glb"
        here = furniture.Local(box, furniture.front(box, self.plan.room))
        if here.wide < LONG or not file.is_file():
            return False
        # The model is 0.669 deep, 3.108 long and 0.845 high, y up and z to the right; the sink has z from 0.05 to 0.59.
        scale = [here.deep / 0.669, box.top / 0.845, here.wide / 3.108]
        entity = self._body([self.sapien.render.RenderShapeTriangleMesh(str(file), scale)])
        middle = self.sapien.Pose([0.1715 * scale[0], 0.027 * scale[2], 0])
        place = self.sapien.Pose([*box.middle, 0], list(here.turn))
        entity.set_pose(place * middle * self.sapien.Pose(q=UPWARDS))
        self.basin = (here, (0.027 - 0.592) * scale[2], (0.027 - 0.049) * scale[2])
        return True

    def spot(self, name: str, at: Point) -> Point:
        """Where something stands that the plan has at a point: beside the sink of the worktop, if it has one."""
        if self.basin is None:
            return at
        here, low, high = self.basin
        box = here.box
        if not (box.x0 <= at[0] <= box.x1 and box.y0 <= at[1] <= box.y1 and abs(at[2] - box.top) < 1e-3):
            return at
        along = (-math.sin(here.way), math.cos(here.way))
        y = (at[0] - box.middle[0]) * along[0] + (at[1] - box.middle[1]) * along[1]
        if not low - BESIDE < y < high + BESIDE:
            return at
        far = (low - BESIDE if y < (low + high) / 2 else high + BESIDE) - y
        return at[0] + far * along[0], at[1] + far * along[1], at[2]

    def _table(self, box: Box) -> bool:
        """The dining table of ManiSkill's wheel, stretched to its place."""
        file = wheel_folder() / "utils/scene_builder/table/assets/Dining_Table_204_1.glb"
        if not file.is_file():
            return False
        # The model is 1.82 by 1.015 and 0.64 high, y up, its middle off by 3.5 cm.
        wide, deep = box.x1 - box.x0, box.y1 - box.y0
        long = wide >= deep
        scale = [max(wide, deep) / 1.82, box.top / 0.64, min(wide, deep) / 1.015]
        shape = self.sapien.render.RenderShapeTriangleMesh(str(file), scale)
        upright = self.sapien.Pose(q=UPWARDS)
        turn = self.sapien.Pose(q=list(yaw(0.0 if long else math.pi / 2)))
        offset = self.sapien.Pose([0, -0.0355 * scale[2], 0])
        entity = self._body([shape])
        entity.set_pose(self.sapien.Pose([*box.middle, 0]) * turn * offset * upright)
        return True

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
        return self._body([self._shape(solid) for solid in solids])

    def _body(self, shapes: list[Any]) -> Any:
        sapien = self.sapien
        body = sapien.render.RenderBodyComponent()
        for shape in shapes:
            body.attach(shape)
        entity = sapien.Entity()
        entity.add_component(body)
        self.world.add_entity(entity)
        return entity

    def _shape(self, solid: Any) -> Any:
        sapien = self.sapien
        material = _material(sapien, solid.colour, solid.glow)
        if solid.outline:
            points, faces, normals = mesh(solid)
            flat = np.zeros((len(points), 2), np.float32)
            shape = sapien.render.RenderShapeTriangleMesh(points, faces, normals, flat, material)
        else:
            shape = sapien.render.RenderShapeBox([side / 2 for side in solid.size], material)
        shape.local_pose = sapien.Pose(list(solid.at), list(solid.turn))
        return shape

    def pose(self, row: np.ndarray) -> Placed:
        """Put everything where a state of the world has it."""
        task, positions = self.task, locate(self.task, row)
        robots, things = len(task.robots), len(task.assets)
        flags = row[robots * 3 + things : robots * 3 + 2 * things].tolist()
        hands = {}
        for robot in task.robots:
            for entity in self.robots[robot.name].entities:
                _visible(entity, robot.name in positions.robots)
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
                    name, thing.inside, positions, foot(thing.inside), bool(flags[numbers[thing.inside]] & 1)
                )
            else:
                at = self.spot(name, (thing.x, thing.y, thing.z))
            feet[name] = at
            return at

        for i, asset in enumerate(task.assets):
            if asset.name not in positions.things:  # it is not known where it is
                for entity in self.things[asset.name].values():
                    _visible(entity, False)
                continue
            at = foot(asset.name)
            self._show(asset.name, at, bool(flags[i] & 1), bool(flags[i] & 2), positions.things[asset.name].hidden)
        return Placed(feet, hands, positions)

    def _within(self, name: str, container: str, positions: Positions, at: Point, opened: bool) -> Point:
        what = base(container)
        others = [thing.name for thing in positions.things.values() if thing.inside == container]
        aside = (others.index(name) - (len(others) - 1) / 2) * SPREAD * (1.8 if what in OPENING else 1.0)
        x, y, z = at
        lift = INSIDE.get(what, 0.05) * (LARGER if what not in FIXTURES else 1.0)
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
            _visible(entity, False)
        yield
        for entity in shown:
            _visible(entity, True)

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
            _visible(entity, other == look and not hidden)
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
        file = _SHIPPED.get(what)
        if file is not None and not on and (wheel_folder() / file[0]).is_file():
            return self._mesh_thing(*file)
        return self._entity(model(name, on))

    def _mesh_thing(self, file: str, scale: float, lift: float) -> Any:
        """A model of ManiSkill's wheel, which has y up."""
        shape = self.sapien.render.RenderShapeTriangleMesh(str(wheel_folder() / file), [scale] * 3)
        shape.local_pose = self.sapien.Pose([0, 0, lift * scale], UPWARDS)
        return self._body([shape])

    def aim(self, lens: Lens) -> Any:
        """The camera of a lens, where it should be; its matrices are those of the picture it takes."""
        camera, entity = self._camera(lens.width, lens.height)
        camera.set_fovy(2 * math.atan(lens.height / 2 / lens.focal), compute_x=True)
        way = turned((math.cos(lens.pitch), 0, math.sin(lens.pitch)), yaw(lens.yaw))
        entity.set_pose(_looking(self.sapien, lens.eye, way))
        return camera

    def shoot(self, lens: Lens) -> RenderedShot:
        """A picture of things as they stand."""
        camera = self.aim(lens)
        for wall in self.walls:
            before = sum((lens.eye[i] - wall.corner[i]) * wall.way[i] for i in range(2))
            _visible(wall.entity, before > 0)
        self.world.update_render()
        camera.take_picture()
        seen = camera.get_picture("Color")
        frame = np.where(seen[..., 3:] > 0, seen[..., :3], np.array(renderer.SKY, np.float32))
        picture = (np.clip(frame, 0, 1) * 255 + 0.5).astype(np.uint8)
        return RenderedShot(picture, *matrices(camera))

    def _camera(self, width: int, height: int) -> tuple[Any, Any]:
        if (width, height) not in self.cameras:
            camera = self.sapien.render.RenderCameraComponent(width, height, str(renderer.SHADER_FOLDER))
            camera.near, camera.far = NEAR, FAR
            entity = self.sapien.Entity()
            entity.add_component(camera)
            self.world.add_entity(entity)
            self.cameras[width, height] = (camera, entity)
        return self.cameras[width, height]


def _visible(entity: Any, shown: bool) -> None:
    for component in entity.components:
        if hasattr(component, "visibility"):
            component.visibility = float(shown)


def matrices(camera: Any) -> tuple[np.ndarray, np.ndarray]:
    """Intrinsic and extrinsic matrix of a camera, in OpenCV's convention."""
    return np.array(camera.get_intrinsic_matrix(), float), np.array(camera.get_extrinsic_matrix(), float)


class ModelBody:
    """A robot from its description (URDF)."""

    def __init__(self, stage: Stage, model: Model) -> None:
        self.sapien, self.model = stage.sapien, model
        loader = stage.world.create_urdf_loader()
        loader.fix_root_link, loader.scale = True, model.scale
        try:
            builder = loader.load_file_as_articulation_builder(str(model.file))
            for link in builder.link_builders:
                usual = link.build_render_component
                link.build_render_component = partial(thinning.component, self.sapien, link.visual_records, usual)
                link.collision_records = []  # nothing moves by itself, so nothing collides
            self.articulation = builder.build()
        except Exception as error:  # SAPIEN raises plain Exceptions too
            raise MmgamesError(
                f"The robot in {model.file} cannot be loaded ({type(error).__name__}: {str(error)[:120]}); fetch its "
                "files again."
            ) from error
        joints = np.zeros(self.articulation.dof, np.float32)
        if len(model.rest) == len(joints):
            joints[:] = model.rest
        names = [joint.name for joint in self.articulation.active_joints]
        for name, angle in model.joints:
            joints[names.index(name)] = angle
        self.articulation.set_qpos(joints)
        self.entities = [link.entity for link in self.articulation.links]
        links = {link.name: link for link in self.articulation.links}
        self.hands = [links[name] for name in model.hands if name in links] or [self.articulation.links[-1]]

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


_SHIPPED = {
    "apple": ("envs/tasks/humanoid/assets/apple_1.glb", 0.8 * LARGER, 0.05),
    "bowl": ("envs/tasks/humanoid/assets/frl_apartment_bowl_07.glb", 0.62 * LARGER, 0.07),
}
"""Things of ManiSkill's wheel: file, scale, how far below its middle it ends."""


def _aside(name: str) -> float:
    """Things lie a little differently each; which way follows from the name."""
    return (sum(map(ord, name)) % 7 - 3) * 0.25 - 0.6


def _material(sapien: Any, colour: tuple[int, int, int], glow: float) -> Any:
    linear = [(part / 255) ** 2.2 for part in colour]
    return sapien.render.RenderMaterial(
        base_color=[*linear, 1.0], emission=[*(part * glow for part in linear), 1.0 if glow else 0.0]
    )


def _looking(sapien: Any, eye: Point, way: Point) -> Any:
    """The pose of a camera (x ahead, y left, z up) at a point that looks along a direction."""
    ahead = np.array(way) / np.linalg.norm(way)
    left = np.cross([0, 0, 1], ahead)
    left /= np.linalg.norm(left)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([ahead, left, np.cross(ahead, left)], axis=1)
    matrix[:3, 3] = eye
    return sapien.Pose(matrix)
