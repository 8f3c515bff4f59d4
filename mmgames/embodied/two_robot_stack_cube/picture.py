"""TwoRobotStackCube in pictures, and as numbers."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control.camera import Shot, studio
from mmgames.embodied._control.game import HAND
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET, TwoRobotStackCube

SHOT = Shot(eye=(1.5, 0.2, 0.95), target=(-0.1, 0.0, 0.15))


def draw(view: ControlView, size: int = 512) -> np.ndarray:
    return studio(TwoRobotStackCube.task, (HAND, HAND), SHOT).draw(view.scene, size)


def shows(view: ControlView) -> Hashable:
    return view.scene[:2]


def features(view: ControlView) -> np.ndarray:
    return numbers.features(view, things=(BLUE, GREEN, TARGET), offsets=(BLUE, GREEN, TARGET), facts=5)
