"""TwoRobotStackCube in pictures, and as numbers."""

from mmgames.embodied._control import table
from mmgames.embodied._control.camera import drawer, shows  # noqa: F401 - shows is part of this module
from mmgames.embodied._control.features import features  # noqa: F401 - so are they
from mmgames.embodied.two_robot_stack_cube.rules import TARGET_RADIUS

SETTING = table.setting(table.cube((30, 70, 220)), table.cube((30, 170, 50)), table.target(TARGET_RADIUS))
draw = drawer(SETTING)
