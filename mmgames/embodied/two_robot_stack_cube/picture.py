"""TwoRobotStackCube in pictures, and as numbers."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control import table
from mmgames.embodied._control.camera import shows, studio  # noqa: F401 - shows is part of this module
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET, TARGET_RADIUS

SETTING = table.setting(table.cube((30, 70, 220)), table.cube((30, 170, 50)), table.target(TARGET_RADIUS))


def draw(view: ControlView, size: int = 512) -> np.ndarray:
    return studio(SETTING).draw(view.scene, size)


def features(view: ControlView) -> np.ndarray:
    return numbers.features(view, things=(BLUE, GREEN, TARGET), offsets=(BLUE, GREEN, TARGET), facts=5)
