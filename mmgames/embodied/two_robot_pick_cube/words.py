"""TwoRobotPickCube in words."""

from mmgames.embodied._control import telling
from mmgames.embodied.two_robot_pick_cube import SPEC
from mmgames.embodied.two_robot_pick_cube.rules import GOAL_RADIUS, TwoRobotPickCube

THINGS = ("cube", "goal")
rules, legend = telling.told(SPEC, radius=100 * GOAL_RADIUS)
you, notation, history, describe, names = telling.two_arms(SPEC, TwoRobotPickCube, THINGS)
