"""TwoRobotPickCubeSkills in pictures, which are those of TwoRobotPickCube, and as numbers."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._control.features import skill_features
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_pick_cube.picture import draw, shows  # noqa: F401 - parts of this room
from mmgames.embodied.two_robot_pick_cube.rules import CUBE, GOAL


def features(view: ControlView) -> np.ndarray:
    return skill_features(view, things=(CUBE, GOAL), facts=2)
