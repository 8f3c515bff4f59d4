"""TwoRobotStackCube in words."""

from mmgames.embodied._control import telling
from mmgames.embodied.two_robot_stack_cube import SPEC
from mmgames.embodied.two_robot_stack_cube.rules import TARGET_RADIUS, TwoRobotStackCube

THINGS = ("blue cube", "green cube", "target")
rules, legend = telling.told(SPEC, radius=100 * TARGET_RADIUS)
you, notation, history, describe, names = telling.two_arms(SPEC, TwoRobotStackCube, THINGS)
