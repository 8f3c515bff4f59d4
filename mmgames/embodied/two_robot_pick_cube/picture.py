"""TwoRobotPickCube in pictures, and as numbers."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control.camera import AT_THE_TABLE, shows, studio  # noqa: F401 - shows is part of this room
from mmgames.embodied._control.game import HAND
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_pick_cube.rules import CUBE, GOAL, TwoRobotPickCube


def draw(view: ControlView, size: int = 512) -> np.ndarray:
    return studio(TwoRobotPickCube.task, (HAND, HAND), AT_THE_TABLE).draw(view.scene, size)


def features(view: ControlView) -> np.ndarray:
    return numbers.features(view, things=(CUBE, GOAL), offsets=(CUBE, GOAL), facts=2)
