"""Pictures of control games, drawn from the poses in a view, in a scene that is posed and never stepped.

It is a plain SAPIEN scene: neither ManiSkill nor PyTorch has a part in it. What does not move is drawn once.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from functools import cache
from typing import Any

import numpy as np

from mmgames.embodied._control.scene import ControlView, RobotScene
from mmgames.embodied._control.setting import ROBOTS, Look, Mesh, Setting
from mmgames.embodied._scenes import renderer, solid_bodies
from mmgames.embodied._scenes.shots import (
    FAR,
    MSAA,
    NEAR,
    Layer3D,
    Model,
    RobotBody,
    in_front,
    looking,
    show,
    take,
    wheel_folder,
)

SIZES = 4
"""Of so many sizes the cameras are kept; each has its buffers in memory."""

_drawing = threading.Lock()  # one picture after another: SAPIEN's renderer is one


class Studio:
    """The scene of a setting, for pictures alone."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        _, self.sapien = renderer.start_sapien()
        self.sapien.render.set_msaa(MSAA)
        with renderer.quietly():
            self.world = self.sapien.Scene([self.sapien.physx.PhysxCpuSystem(), self.sapien.render.RenderSystem()])
        folder = wheel_folder() / "assets" / "robots"
        self._fixed = [self._entity(look) for look in (setting.room.solids(setting.shot.eye), *setting.furniture)]
        bodies = [RobotBody(self, Model(folder / ROBOTS[name], ())) for name in setting.robots]
        self._robots = [body.articulation for body in bodies]
        self._things = [self._entity(look) for look in setting.things]
        self._moving = [*self._things, *(entity for body in bodies for entity in body.entities)]
        self._cameras: dict[int, tuple[Any, Layer3D]] = {}

    def _entity(self, look: Look) -> Any:
        if isinstance(look, Mesh):
            shape = self.sapien.render.RenderShapeTriangleMesh(str(wheel_folder() / look.file), [look.scale] * 3)
            shape.local_pose = self.sapien.Pose(look.at, look.turn)
            component = self.sapien.render.RenderBodyComponent()
            component.attach(shape)
        else:
            component = solid_bodies.component(self.sapien, look)
        entity = self.sapien.Entity()
        entity.add_component(component)
        self.world.add_entity(entity)
        return entity

    def draw(self, scene: RobotScene, size: int) -> np.ndarray:
        renderer.start_sapien()  # says so in a process that was forked
        with _drawing:
            self._pose(scene)
            camera, backdrop = self._camera(size)
            return in_front(take(self.world, camera), backdrop)

    def _pose(self, scene: RobotScene) -> None:
        for body, robot in zip(self._robots, scene.robots, strict=True):
            body.set_root_pose(self.sapien.Pose(robot.base[:3], robot.base[3:]))
            body.set_qpos(np.array(robot.joints, np.float32))
        for entity, pose in zip(self._things, scene.things, strict=True):
            entity.set_pose(self.sapien.Pose(pose[:3], pose[3:]))

    def _camera(self, size: int) -> tuple[Any, Layer3D]:
        """The camera for a size, and the picture it took of what does not move, which is hidden from then on."""
        if size not in self._cameras:
            if len(self._cameras) >= SIZES:
                self.world.remove_entity(self._cameras.pop(next(iter(self._cameras)))[0].entity)
            for name in ("Color", "Position"):  # ManiSkill may have set another one
                self.sapien.render.set_picture_format(name, "r32g32b32a32sfloat")
            shot = self.setting.shot
            camera = self.sapien.render.RenderCameraComponent(size, size, str(renderer.SHADER_FOLDER))
            camera.near, camera.far = NEAR, FAR
            camera.set_fovy(shot.field, compute_x=True)
            entity = self.sapien.Entity()
            entity.add_component(camera)
            entity.set_pose(looking(self.sapien, shot.eye, tuple(np.subtract(shot.target, shot.eye))))
            self.world.add_entity(entity)
            self._reveal(fixed=True)
            self._cameras[size] = camera, take(self.world, camera)
            self._reveal(fixed=False)
        return self._cameras[size]

    def _reveal(self, fixed: bool) -> None:
        """Show what does not move, or all the rest."""
        for entity in self._fixed:
            show(entity, fixed)
        for entity in self._moving:
            show(entity, not fixed)


@cache
def studio(setting: Setting) -> Studio:
    """The studio of a setting, opened with its first picture."""
    return Studio(setting)


def shows(view: ControlView) -> Hashable:
    """All that the picture of a control game is made from: its robots and things."""
    return view.scene[:2]
