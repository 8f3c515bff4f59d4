"""TwoRobotStackCubeSkills in words."""

from mmgames.embodied._control import telling
from mmgames.embodied.two_robot_stack_cube.rules import TARGET_RADIUS
from mmgames.embodied.two_robot_stack_cube.words import THINGS, legend  # noqa: F401 - legend is part of it
from mmgames.embodied.two_robot_stack_cube_skills import SPEC
from mmgames.embodied.two_robot_stack_cube_skills.rules import TwoRobotStackCubeSkills

(rules,) = telling.told(SPEC, radius=100 * TARGET_RADIUS)
you, notation, history, describe, names = telling.two_arms(SPEC, TwoRobotStackCubeSkills, THINGS)
