"""TwoRobotStackCubeSkills in pictures, which are those of TwoRobotStackCube, and as numbers."""

from mmgames.embodied._control.features import skill_features as features  # noqa: F401 - parts of this room
from mmgames.embodied.two_robot_stack_cube.picture import draw, shows  # noqa: F401
