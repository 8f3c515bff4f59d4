"""ThreeRobotKitchen in pictures, and as numbers."""

import math

from mmgames.embodied._control.camera import drawer, shows  # noqa: F401 - shows is part of this module
from mmgames.embodied._control.features import features  # noqa: F401 - so are they
from mmgames.embodied._control.setting import CameraPose, Mesh, Room, Setting
from mmgames.embodied._scenes.solids import Box, ball, lathe, moved, tilt, times, yaw
from mmgames.embodied.three_robot_kitchen import layout

UPRIGHT = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # the models have y up
COUNTER = Mesh(
    "utils/scene_builder/kitchen_counter/assets/kitchen_counter.glb", layout.COUNTER_SCALE, times(yaw(math.pi), UPRIGHT)
)
MODELS = "envs/tasks/humanoid/assets/"
APPLE = Mesh(MODELS + "apple_1.glb", layout.APPLE_SCALE, UPRIGHT)
BOWL = Mesh(MODELS + "frl_apartment_bowl_07.glb", layout.COUNTER_SCALE, UPRIGHT)
BELL = (ball(layout.BELL_RADIUS, (0, 0, 0), (230, 180, 40)),)
# A disc that lies along its x axis, as ManiSkill's cylinders do.
SPOT = moved(
    (lathe(((layout.SPOT_RADIUS, 0.004), (0, 0.004)), (0, 0, 0), (40, 90, 220)),), (0, 0, 0), tilt(-math.pi / 2)
)
ROOM = Room(Box(-3.4, -3.4, 0.6, 2.2, 2.5), ((236, 226, 208), (206, 186, 154), (120, 94, 66)), 1, (((-1, 0), 0.4),))
SHOT = CameraPose(eye=(-1.85, -2.7, 2.35), target=(-0.43, -0.05, 0.6), field=0.87)
SETTING = Setting(layout.TASK.robots, (APPLE, BOWL, BELL, SPOT), (COUNTER,), ROOM, SHOT)
draw = drawer(SETTING)
