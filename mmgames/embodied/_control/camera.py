"""Pictures of control games, drawn from the poses in a view, in a scene that is posed and never stepped.

It is a plain SAPIEN scene: neither ManiSkill nor PyTorch has a part in it. What does not move is drawn once.
"""

import threading
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import numpy as np

from mmgames.embodied._control.scene import ControlView, RobotScene
from mmgames.embodied._control.setting import ROBOTS, Look, Mesh, Setting
from mmgames.embodied._scenes import renderer, shots
from mmgames.embodied._scenes.shots import Layer3D, Model, RobotBody, in_front, show, take, wheel_folder

SIZES = 4
"""Of so many sizes the cameras are kept; each has its buffers in memory."""

_drawing = threading.Lock()  # one picture after another: SAPIEN's renderer is one


class Studio:
    """The scene of a setting, for pictures alone."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        _, self.sapien = renderer.start_sapien()
        self.sapien.render.set_msaa(shots.MSAA)
        self.world = shots.open_world(self.sapien)
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
            component = shots.component(self.sapien, look)
        return shots.add(self.sapien, self.world, component)

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
            camera = shots.hang_camera(self.sapien, self.world, size, size)
            camera.set_fovy(shot.field, compute_x=True)
            way = tuple(np.subtract(shot.target, shot.eye))
            camera.entity.set_pose(shots.looking(self.sapien, shot.eye, way))
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


def drawer(setting: Setting) -> Callable[..., np.ndarray]:
    """What draws the views of a game in a setting."""

    def draw(view: ControlView, size: int = 512) -> np.ndarray:
        if view.rendered:
            return studio(setting).draw(view.scene, size)
        from mmgames.embodied._control import drawn

        return drawn.draw(setting, view.scene, size)

    return draw


def shows(view: ControlView) -> Hashable:
    """All that the picture of a control game is made from: its robots and things."""
    return view.rendered, *view.scene[:2]
