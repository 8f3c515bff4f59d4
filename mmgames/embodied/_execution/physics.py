"""A kitchen with weight: SAPIEN's physics at 100 steps a second moves robots, doors and things."""

import importlib.util
import math
from typing import Any

import numpy as np

from mmgames.embodied._execution.bodies import HERTZ, Body
from mmgames.embodied._execution.shapes import SLIDE, Cupboard, Part, Shape
from mmgames.embodied._scenes import renderer, shots
from mmgames.embodied._scenes.geometry import Box
from mmgames.errors import MissingExtra, missing_extra

PHYSICS = 100
MOTOR, BASE_MOTOR = (1000.0, 100.0, 100.0), (40_000.0, 4_000.0, 40_000.0)
"""Stiffness, damping and force of the motors of arms and fingers, as ManiSkill has them, and of bases."""

FIRST_GROUP = 10


class Physics:
    """What moves a kitchen. Things touch each other, furniture and robots; see the groups of what collides."""

    def __init__(self) -> None:
        if importlib.util.find_spec("mani_skill") is None:
            raise MissingExtra(missing_extra("A plan in physics", ("embodied",), {"engine": "kinematic"}))
        _, self.sapien = renderer.start_sapien()
        # As SAPIEN begins: these hold for the whole process, and ManiSkill sets them anew for every world of its own.
        physx = self.sapien.physx
        for usual in (physx.set_shape_config, physx.set_body_config, physx.set_scene_config):
            usual()
        physx.set_default_material(0.3, 0.3, 0.1)
        self.scene = shots.open_world(self.sapien)
        self.scene.set_timestep(1 / PHYSICS)
        self.things: dict[str, Any] = {}
        self.doors: list[tuple[Cupboard, Any]] = []

    def step(self) -> None:
        """A twentieth of a second."""
        for _ in range(PHYSICS // HERTZ):
            self.scene.step()
        for cupboard, door in self.doors:
            cupboard.slid = float(door.get_qpos()[0])

    def pose(self, name: str) -> np.ndarray:
        return self.things[name].pose.to_transformation_matrix()

    def block(self, box: Box) -> None:
        """Furniture; a floor has its top at 0, and only that robots do not touch."""
        builder = self.scene.create_actor_builder()
        builder.add_box_collision(half_size=[(box.x1 - box.x0) / 2, (box.y1 - box.y0) / 2, (box.top - box.bottom) / 2])
        builder.set_initial_pose(self.sapien.Pose([*box.middle, (box.top + box.bottom) / 2]))
        _collide(builder.build_static(), [3, 3, 0, 0] if box.top > 0 else [1, 1, 0, 0])

    def thing(self, name: str, shape: Shape, pose: np.ndarray, fixed: bool) -> None:
        sapien, builder = self.sapien, self.scene.create_actor_builder()
        volume = sum(math.prod(part.size) * (0.785 if part.round else 1.0) for part in shape.parts)
        material = sapien.physx.PhysxMaterial(1.0, 1.0, 0.0)
        self._solids(builder, shape.parts, material=material, density=shape.mass / volume if volume else 0.0)
        builder.set_initial_pose(sapien.Pose([0, 0, 0.002]) * sapien.Pose(pose))
        self.things[name] = builder.build_static(name=name) if fixed else builder.build(name=name)
        _collide(self.things[name], [3, 3, 0, 0])

    def cupboard(self, name: str, made: Cupboard) -> None:
        walls, pose = self.scene.create_actor_builder(), self.sapien.Pose(made.pose)
        self._solids(walls, made.walls)
        walls.set_initial_pose(pose)
        self.things[name] = walls.build_static(name="cupboard")
        _collide(self.things[name], [3, 3, 0, 0])
        builder = self.scene.create_articulation_builder()
        root = builder.create_link_builder()
        root.set_name("rail")
        door = builder.create_link_builder(root)
        door.set_name("door")
        self._solids(door, made.panel)
        door.set_joint_name("slide")
        door.set_joint_properties("prismatic", [[0.0, SLIDE]], self.sapien.Pose(), self.sapien.Pose(), 0.2, 5.0)
        built = builder.build(fix_root_link=True)
        built.set_root_pose(pose)
        built.set_qpos(np.array([made.slid], np.float32))
        for link in built.links:
            link.disable_gravity = True
            _collide(link.entity, [2, 2, 0, 0])  # robots touch it, walls and things do not
        self.doors.append((made, built))

    def _solids(self, builder: Any, parts: tuple[Part, ...], **more: Any) -> None:
        for part in parts:
            long, wide, half = (length / 2 for length in part.size)
            if part.round:
                upright = self.sapien.Pose(list(part.at), [math.sqrt(0.5), 0, math.sqrt(0.5), 0])
                builder.add_cylinder_collision(upright, radius=long, half_length=half, **more)
            else:
                builder.add_box_collision(self.sapien.Pose(list(part.at)), [long, wide, half], **more)

    def embody(self, body: Body) -> None:
        with renderer.quietly():
            body.motors = Motors(self.scene, self.sapien, body, FIRST_GROUP + len(self.scene.get_all_articulations()))


class Motors:
    """ManiSkill's robot for a body: its joints have motors."""

    def __init__(self, scene: Any, sapien: Any, body: Body, group: int) -> None:
        loader = scene.create_urdf_loader()
        loader.fix_root_link = True
        file = shots.wheel_folder() / "assets" / "robots" / body.build.file
        builder = loader.load_file_as_articulation_builder(str(file))
        grippy = sapien.physx.PhysxMaterial(2.0, 2.0, 0.0)
        for link in builder.link_builders:
            link.visual_records = []
            for record in link.collision_records if "finger" in link.name else ():
                record.material, record.patch_radius, record.min_patch_radius = grippy, 0.1, 0.1
        self.articulation = builder.build()
        for link in self.articulation.links:
            link.disable_gravity = True  # a real arm's motors carry it
            for part in link.collision_shapes:
                # They touch furniture, things and other robots (bit 2), but not the floor (bit 1) and themselves.
                part.set_collision_groups([2, 2, 1 << group, 0])
        if not body.base:
            self.articulation.set_root_pose(sapien.Pose(body.root))
        self.drives = self.articulation.active_joints
        self.order = [body.names.index(joint.name) for joint in self.drives]
        self.back = np.argsort(self.order)
        for number, joint in zip(self.order, self.drives, strict=True):
            joint.set_drive_properties(*(BASE_MOTOR if number in body.base else MOTOR))
        self.articulation.set_qpos(body.target[self.order].astype(np.float32))
        self.tell(body.target)

    def joints(self) -> np.ndarray:
        return self.articulation.get_qpos()[self.back].astype(float)

    def tell(self, angles: np.ndarray) -> None:
        for number, joint in zip(self.order, self.drives, strict=True):
            joint.set_drive_target(float(angles[number]))


def _collide(entity: Any, groups: list[int]) -> None:
    for component in entity.components:
        for part in getattr(component, "collision_shapes", ()):
            part.set_collision_groups(groups)
