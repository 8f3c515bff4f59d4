"""TwoRobotPickCube in pictures, and as numbers."""

from functools import partial

from mmgames.embodied._control import features as numbers
from mmgames.embodied._control import table
from mmgames.embodied._control.camera import drawer, shows  # noqa: F401 - shows is part of this module
from mmgames.embodied.two_robot_pick_cube.rules import GOAL_RADIUS, HIGHEST_GOAL

SETTING = table.setting(table.cube((215, 25, 25)), table.goal(GOAL_RADIUS, HIGHEST_GOAL))
draw = drawer(SETTING)
features = partial(numbers.features, facts=2)
