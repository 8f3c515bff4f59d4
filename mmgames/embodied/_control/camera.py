"""Pictures of control games, drawn from the poses in a view: a second scene is posed and never stepped."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._control.scene import ControlView, RobotScene
from mmgames.embodied._control.world import ManiSkillTask, make, quietly
from mmgames.embodied._scenes import renderer

NEAR, FAR = 0.05, 50.0
FLOOR, GREY = 20.0, [0.36, 0.38, 0.41, 1.0]  # half a side in metres, and a colour
SIZES = 4
"""Of so many sizes the cameras are kept; each has its buffers in memory."""

_drawing = threading.Lock()  # one picture after another: SAPIEN's renderer is one


class CameraPose(NamedTuple):
    """How a task is looked at, in metres and radians."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    field: float = 1.0


AT_THE_TABLE = CameraPose(eye=(1.5, 0.2, 0.95), target=(-0.1, 0.0, 0.15))
"""Two arms, from the side."""


class Studio:
    """The scene of a task for pictures alone."""

    @quietly
    def __init__(self, task: ManiSkillTask, modes: tuple[str, ...], shot: CameraPose) -> None:
        self._task, self._shot = task, shot
        cameras = {
            "shader_pack": renderer.SHADER,
            "width": 16,
            "height": 16,
        }  # ManiSkill's own: nobody looks through them
        self._env = make(
            task,
            modes,
            render_backend=renderer.render_backend(),
            sensor_configs=cameras,
            human_render_camera_configs=cameras,
        )
        with renderer.quietly():
            self._env.reset(seed=0)
        for hidden in self._env._hidden_objects:  # goals are hidden from ManiSkill's own cameras
            hidden.show_visual()
        self._scene = self._env.scene.sub_scenes[0]
        self._lay_floor()
        self._cameras: dict[int, Any] = {}

    def _lay_floor(self) -> None:
        """A plain floor in place of ManiSkill's, whose ten thousand vertices cost a fifth of a picture in software."""
        import sapien

        (ground,) = self._env.scene.actors["ground"]._objs
        ground.find_component_by_type(sapien.render.RenderBodyComponent).visibility = 0.0
        shape = sapien.render.RenderShapeBox([FLOOR, FLOOR, 0.01], sapien.render.RenderMaterial(base_color=GREY))
        body = sapien.render.RenderBodyComponent()
        body.attach(shape)
        floor = sapien.Entity()
        floor.add_component(body)
        floor.pose = sapien.Pose([0, 0, ground.pose.p[2] - 0.01])
        self._scene.add_entity(floor)

    def draw(self, scene: RobotScene, size: int) -> np.ndarray:
        renderer.start_sapien()  # says so in a process that was forked
        with _drawing:
            self._pose(scene)
            camera = self._camera(size)
            self._scene.update_render()
            camera.take_picture()
            seen = camera.get_picture("Color")
        shown = np.where(seen[..., 3:] > 0, seen[..., :3], np.array(renderer.SKY, np.float32))
        return (np.clip(shown, 0, 1) * 255).astype(np.uint8)

    def _pose(self, scene: RobotScene) -> None:
        import sapien

        for agent, robot in zip(self._env.agent.agents, scene.robots, strict=True):
            (body,) = agent.robot._objs
            body.root_pose = sapien.Pose(robot.base[:3], robot.base[3:])
            body.qpos = np.array(robot.joints, np.float32)
        for name, pose in zip(self._task.things, scene.things, strict=True):
            (entity,) = getattr(self._env, name)._objs
            entity.pose = sapien.Pose(pose[:3], pose[3:])

    def _camera(self, size: int) -> Any:
        if size in self._cameras:
            return self._cameras[size]
        import sapien
        from mani_skill.utils import sapien_utils

        if len(self._cameras) >= SIZES:
            self._scene.remove_entity(self._cameras.pop(next(iter(self._cameras))).entity)
        sapien.render.set_picture_format("Color", "r32g32b32a32sfloat")  # ManiSkill may have set another one
        camera = sapien.render.RenderCameraComponent(size, size, str(renderer.SHADER_FOLDER))
        camera.near, camera.far = NEAR, FAR
        camera.set_fovy(self._shot.field, compute_x=True)
        entity = sapien.Entity()
        entity.add_component(camera)
        entity.pose = sapien_utils.look_at(self._shot.eye, self._shot.target).sp
        self._scene.add_entity(entity)
        self._cameras[size] = camera
        return camera


@cache
def studio(task: ManiSkillTask, modes: tuple[str, ...], shot: CameraPose) -> Studio:
    """The studio of a task, opened with its first picture."""
    return Studio(task, modes, shot)


def shows(view: ControlView) -> Hashable:
    """All that the picture of a control game is made from: its robots and things."""
    return view.scene[:2]
