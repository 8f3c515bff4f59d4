"""TwoRobotStackCube in pictures, and as numbers."""

from functools import partial

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control import table
from mmgames.embodied._control.camera import drawer, shows  # noqa: F401 - shows is part of this module
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET, TARGET_RADIUS

SETTING = table.setting(table.cube((30, 70, 220)), table.cube((30, 170, 50)), table.target(TARGET_RADIUS))
draw = drawer(SETTING)
features = partial(numbers.features, things=(BLUE, GREEN, TARGET), facts=5)
