"""A cupboard without a roof: three low walls, and in front a door that slides aside by its handle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mmgames.embodied._execution.fronts import Front
from mmgames.embodied._execution.shapes import COMPARTMENT, CUPBOARD, Part

DEEP, FRONT, BACK = 0.24, 0.12, 0.36
"""How far from the furniture's edge its middle, its front and its back are, in metres."""

SLIDE = COMPARTMENT - 0.01
"""How far the door goes."""

STANDS_OUT, ABOVE = 0.05, 0.03
"""How far the handle is before the door, and how far it ends above it."""

THICK, WALLS = 0.012, 0.05
"""Its walls are low, so that a hand that takes something between them does not sit on them."""


class Cupboard:
    """Its frame's x runs along the edge of the furniture; the door slides along it."""

    def __init__(self, scene: Any, sapien: Any, front: Front, is_open: bool) -> None:
        low, high = front.ends
        middle = max(low, (low + high) / 2 - COMPARTMENT - 0.01) + COMPARTMENT / 2
        self.front = front
        self.along = np.array([-math.sin(front.turn), math.cos(front.turn), 0.0])
        self.ahead = np.array([math.cos(front.turn), math.sin(front.turn), 0.0])
        # A robot that looks along `turn` has the edge's direction on its left.
        way = front.turn + math.pi / 2
        x, y = front.point(middle, DEEP)
        pose = sapien.Pose([x, y, front.box.top], [math.cos(way / 2), 0, 0, math.sin(way / 2)])
        deep = BACK - FRONT
        side = (COMPARTMENT + THICK) / 2
        panel = deep / 2 + THICK  # before the middle: the robot's side is at positive y
        self.walls = (
            Part((THICK, deep, WALLS), (-side, 0, WALLS / 2)),
            Part((THICK, deep, WALLS), (side, 0, WALLS / 2)),
            Part((COMPARTMENT, THICK, WALLS), (0, -(deep + THICK) / 2, WALLS / 2)),
        )
        self.panel = (
            Part((COMPARTMENT, THICK, CUPBOARD - 0.01), (0, panel, CUPBOARD / 2 + 0.005)),
            Part((0.018, 0.018, 2 * ABOVE + 0.02), (0, panel + STANDS_OUT, CUPBOARD - 0.01)),
            Part((0.018, STANDS_OUT, 0.018), (0, panel + STANDS_OUT / 2, CUPBOARD - 0.03)),
        )
        walls = scene.create_actor_builder()
        for part in self.walls:
            walls.add_box_collision(sapien.Pose(list(part.at)), [length / 2 for length in part.size])
        walls.set_initial_pose(pose)
        self.frame = walls.build_static(name="cupboard")
        builder = scene.create_articulation_builder()
        root = builder.create_link_builder()
        root.set_name("rail")
        door = builder.create_link_builder(root)
        door.set_name("door")
        for part in self.panel:
            door.add_box_collision(sapien.Pose(list(part.at)), [length / 2 for length in part.size])
        door.set_joint_name("slide")
        door.set_joint_properties("prismatic", [[0.0, SLIDE]], sapien.Pose(), sapien.Pose(), 0.2, 5.0)
        self.door = builder.build(fix_root_link=True)
        self.door.set_root_pose(pose)
        self.door.set_qpos(np.array([SLIDE if is_open else 0.0], np.float32))
        for link in self.door.links:
            link.disable_gravity = True
            for touched in link.collision_shapes:
                touched.set_collision_groups([2, 2, 0, 0])  # robots touch it, walls and things do not
        for touched in self.frame.components[-1].collision_shapes:
            touched.set_collision_groups([3, 3, 0, 0])

    @property
    def slid(self) -> float:
        """How far it is open, in metres."""
        return float(self.door.get_qpos()[0])

    @property
    def is_open(self) -> bool:
        return self.slid > 0.8 * SLIDE

    @property
    def is_closed(self) -> bool:
        return self.slid < 0.2 * SLIDE

    def handle(self) -> np.ndarray:
        """The top of the handle."""
        pose = self.door.links[1].entity_pose.to_transformation_matrix()
        panel = (BACK - FRONT) / 2 + THICK
        return (pose @ np.array([0, panel + STANDS_OUT, CUPBOARD + ABOVE - 0.012, 1.0]))[:3]
