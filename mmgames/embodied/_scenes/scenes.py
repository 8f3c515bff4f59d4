"""The same world in different scenes: drawn by us, or rendered in 3D from ManiSkill's or RoboCasa's models.

Rules, views and words know a scene by its name alone. What a 3D scene needs is imported when one is asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import numpy as np

from mmgames.embodied._scenes import above, drawn, rendered
from mmgames.embodied._scenes.camera import Camera, head_camera
from mmgames.embodied._scenes.drawing_list import DrawingList, drawing_list
from mmgames.embodied._scenes.positions import Positions, locate, number_of
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import unknown
from mmgames.kernels.records import RecordState

if TYPE_CHECKING:
    from mmgames.embodied._scenes.stage import Stage

SceneName = Literal["drawn", "maniskill", "robocasa"]
SCENES: tuple[SceneName, ...] = get_args(SceneName)
Found = TypeVar("Found")

_ONE_AT_A_TIME = threading.RLock()


def check(scene: str, where: str) -> None:
    """Raise one sentence if a scene cannot be had here: unknown, no packages, no renderer, no assets."""
    if scene not in SCENES:
        raise unknown("scene", scene, where, SCENES)
    if scene != "drawn":
        from mmgames.embodied._scenes import renderer

        renderer.start_scenes()
    if scene == "robocasa":
        from mmgames.embodied._scenes import robocasa

        robocasa.check()


def overview(scene: str, task: KitchenTask, state: RecordState, size: int, labels: bool = True) -> np.ndarray:
    """A state of a task's world as a square picture: the whole kitchen and a card for every robot."""
    if scene == "drawn":
        return above.draw(drawing_list(task, state, labels), size)
    return _rendered(scene, task, state, size, labels).copy()


@lru_cache(maxsize=8)
def _rendered(scene: str, task: KitchenTask, state: RecordState, size: int, labels: bool) -> np.ndarray:
    """The last pictures are kept: everybody in a kitchen sees the same one, and rendering takes its time."""
    return rendered.draw(drawing_list(task, state, labels), size, _taker(scene, task, labels))


def through_eyes(
    scene: str, task: KitchenTask, state: RecordState, robot: str, width: int, labels: bool = True
) -> np.ndarray:
    """What the camera in a robot's head sees, as a picture of 16 to 9."""
    camera, shown = eyes(task, locate(task, state), robot), drawing_list(task, state, labels)
    return through(scene, task, shown, camera, number_of(task, robot), width, in_head=True)


def through(
    scene: str, task: KitchenTask, shown: DrawingList, camera: Camera, you: int, width: int, in_head: bool = False
) -> np.ndarray:
    """What a camera of the robot with the number `you` sees in a scene."""
    return rendered.draw_ego(shown, camera, you, width, in_head, _taker(scene, task, shown.plan.labels))


def _taker(scene: str, task: KitchenTask, labels: bool) -> rendered.Take:
    """What takes the pictures of a scene."""
    if scene == "drawn":
        return drawn.take
    return lambda *shot: on_stage(scene, task, lambda stage: stage.take_list(*shot), labels)


def eyes(task: KitchenTask, found: Positions, robot: str) -> Camera:
    """The camera in a robot's head."""
    kind = task.robots[number_of(task, robot)].kind
    return head_camera(kind, found.robots[robot], found.scene.spots[robot], found.scene.room)


def on_stage(scene: str, task: KitchenTask, use: Callable[[Stage], Found], labels: bool = True) -> Found:
    """Use the 3D stage of a task. There is one in a process that everybody shares, so one at a time."""
    with _ONE_AT_A_TIME:
        return use(_stage(scene, task, labels))


@lru_cache(maxsize=2)
def _stage(scene: str, task: KitchenTask, labels: bool) -> Stage:
    """The stage of a task in one of the 3D scenes; the last two are kept."""
    from mmgames.embodied._scenes import robocasa, stage

    return (robocasa.RoboCasaStage if scene == "robocasa" else stage.Stage)(task, labels)
