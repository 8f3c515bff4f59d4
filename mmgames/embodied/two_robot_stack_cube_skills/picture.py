"""TwoRobotStackCubeSkills in pictures, which are those of TwoRobotStackCube, and as numbers."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._control.features import skill_features
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_stack_cube.picture import draw, shows  # noqa: F401 - parts of this room
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET


def features(view: ControlView) -> np.ndarray:
    return skill_features(view, things=(BLUE, GREEN, TARGET), facts=7)
