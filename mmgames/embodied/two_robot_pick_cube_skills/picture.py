"""TwoRobotPickCubeSkills in pictures, which are those of TwoRobotPickCube, and as numbers."""

from functools import partial

from mmgames.embodied._control.features import skill_features
from mmgames.embodied.two_robot_pick_cube.picture import draw, shows  # noqa: F401 - parts of this room

features = partial(skill_features, facts=2)
