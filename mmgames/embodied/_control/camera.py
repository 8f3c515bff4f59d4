"""Pictures of control games, drawn from the poses in a view, in a scene that is posed and never stepped.

It is a plain SAPIEN scene: neither ManiSkill nor PyTorch has a part in it.
"""

import threading
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import numpy as np

from mmgames.embodied._control.scene import ControlView, RobotScene
from mmgames.embodied._control.setting import ROBOTS, Look, Mesh, Setting
from mmgames.embodied._scenes import renderer
from mmgames.embodied._scenes.shots import Model, RobotBody, Scenery, wheel_folder

_drawing = threading.Lock()  # one picture after another: SAPIEN's renderer is one


class Studio(Scenery):
    """The scene of a setting."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self.fixed = {self.entity_of(look) for look in setting.fixed()}
        folder = wheel_folder() / "assets" / "robots"
        self._robots = [RobotBody(self, Model(folder / ROBOTS[name], ())).articulation for name in setting.robots]
        self._things = [self.entity_of(look) for look in setting.things]

    def entity_of(self, look: Look) -> Any:
        if not isinstance(look, Mesh):
            return self.entity(look)
        shape = self.sapien.render.RenderShapeTriangleMesh(str(wheel_folder() / look.file), [look.scale] * 3)
        shape.local_pose = self.sapien.Pose(look.at, look.turn)
        component = self.sapien.render.RenderBodyComponent()
        component.attach(shape)
        return self.add(component)

    def draw(self, scene: RobotScene, size: int) -> np.ndarray:
        renderer.start_sapien()  # says so in a process that was forked
        with _drawing:
            for body, robot in zip(self._robots, scene.robots, strict=True):
                body.set_root_pose(self.sapien.Pose(robot.base[:3], robot.base[3:]))
                body.set_qpos(np.array(robot.joints, np.float32))
            for entity, pose in zip(self._things, scene.things, strict=True):
                entity.set_pose(self.sapien.Pose(pose[:3], pose[3:]))
            return self.shoot(self.setting.shot.camera(size)).picture


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
