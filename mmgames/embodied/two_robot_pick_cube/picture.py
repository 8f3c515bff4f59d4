"""TwoRobotPickCube in pictures, and as numbers."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control import table
from mmgames.embodied._control.camera import shows, studio  # noqa: F401 - shows is part of this module
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_pick_cube.rules import CUBE, GOAL, GOAL_RADIUS, HIGHEST_GOAL

SETTING = table.setting(table.cube((215, 25, 25)), table.goal(GOAL_RADIUS, HIGHEST_GOAL))


def draw(view: ControlView, size: int = 512) -> np.ndarray:
    return studio(SETTING).draw(view.scene, size)


def features(view: ControlView) -> np.ndarray:
    return numbers.features(view, things=(CUBE, GOAL), offsets=(CUBE, GOAL), facts=2)
