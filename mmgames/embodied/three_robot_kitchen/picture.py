"""ThreeRobotKitchen in pictures, and as numbers."""

from __future__ import annotations

import math

import numpy as np

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control.camera import shows, studio  # noqa: F401 - shows is part of this module
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied._control.setting import CameraPose, Mesh, Room, Setting
from mmgames.embodied._scenes.boxes import Box
from mmgames.embodied._scenes.solids import ball, lathe, moved, tilt, times, yaw
from mmgames.embodied.three_robot_kitchen.layout import (
    APPLE_SCALE,
    BELL_RADIUS,
    COUNTER_SCALE,
    ROBOTS,
    SPOT_RADIUS,
    THINGS,
)

UPRIGHT = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # the models have y up
COUNTER = Mesh(
    "utils/scene_builder/kitchen_counter/assets/kitchen_counter.glb", COUNTER_SCALE, times(yaw(math.pi), UPRIGHT)
)
MODELS = "envs/tasks/humanoid/assets/"
APPLE = Mesh(MODELS + "apple_1.glb", APPLE_SCALE, UPRIGHT)
BOWL = Mesh(MODELS + "frl_apartment_bowl_07.glb", COUNTER_SCALE, UPRIGHT)
BELL = (ball(BELL_RADIUS, (0, 0, 0), (230, 180, 40)),)
# A disc that lies along its x axis, as ManiSkill's cylinders do.
SPOT = moved((lathe(((SPOT_RADIUS, 0.004), (0, 0.004)), (0, 0, 0), (40, 90, 220)),), (0, 0, 0), tilt(-math.pi / 2))
ROOM = Room(Box(-3.4, -3.4, 0.6, 2.2, 2.5), ((236, 226, 208), (206, 186, 154), (120, 94, 66)), 1, (((-1, 0), 0.4),))
SHOT = CameraPose(eye=(-1.85, -2.7, 2.35), target=(-0.43, -0.05, 0.6), field=0.87)
SETTING = Setting(ROBOTS, (APPLE, BOWL, BELL, SPOT), (COUNTER,), ROOM, SHOT)


def draw(view: ControlView, size: int = 512) -> np.ndarray:
    return studio(SETTING).draw(view.scene, size)


def features(view: ControlView) -> np.ndarray:
    things = range(len(THINGS))
    return numbers.features(view, things=things, offsets=things, facts=1)
