"""ThreeRobotKitchen in pictures, and as numbers."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control.camera import CameraPose, shows, studio  # noqa: F401 - shows is part of this room
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.three_robot_kitchen.layout import MODES, THINGS
from mmgames.embodied.three_robot_kitchen.rules import ThreeRobotKitchen

SHOT = CameraPose(eye=(-2.35, -1.1, 2.2), target=(-0.45, -0.05, 0.5), field=1.05)


def draw(view: ControlView, size: int = 512) -> np.ndarray:
    return studio(ThreeRobotKitchen.task, MODES, SHOT).draw(view.scene, size)


def features(view: ControlView) -> np.ndarray:
    things = range(len(THINGS))
    return numbers.features(view, things=things, offsets=things, facts=1)
