"""TwoRobotPickCubeSkills in words."""

from mmgames.embodied._control import telling
from mmgames.embodied.two_robot_pick_cube.rules import GOAL_RADIUS
from mmgames.embodied.two_robot_pick_cube.words import THINGS, legend  # noqa: F401 - legend is part of it
from mmgames.embodied.two_robot_pick_cube_skills import SPEC
from mmgames.embodied.two_robot_pick_cube_skills.rules import TwoRobotPickCubeSkills

(rules,) = telling.told(SPEC, radius=100 * GOAL_RADIUS)
you, notation, history, describe, names = telling.two_arms(SPEC, TwoRobotPickCubeSkills, THINGS)
