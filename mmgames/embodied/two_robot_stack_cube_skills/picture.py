"""TwoRobotStackCubeSkills in pictures, which are those of TwoRobotStackCube, and as numbers."""

from functools import partial

from mmgames.embodied._control.features import skill_features
from mmgames.embodied.two_robot_stack_cube.picture import draw, shows  # noqa: F401 - parts of this room
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET

features = partial(skill_features, things=(BLUE, GREEN, TARGET), facts=7)
