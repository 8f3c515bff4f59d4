"""TwoRobotPickCubeSkills: the same task, with skills for actions."""

from mmgames.embodied._control.skill_game import SkillGame
from mmgames.embodied._control.skills import bring, go_home, let_go, put, take, wait
from mmgames.embodied.two_robot_pick_cube.rules import CUBE, GOAL, GOAL_RADIUS, TwoRobotPickCube

MIDDLE = (0.0, 0.0, 0.021)  # where the cube lies when it is laid in the middle; both arms reach it


class TwoRobotPickCubeSkills(SkillGame, TwoRobotPickCube):
    skills = (
        take("take the cube", CUBE),
        put("lay the cube in the middle", CUBE, lambda arm: MIDDLE, within=0.05),
        bring("bring the cube to the goal", CUBE, GOAL, GOAL_RADIUS),
        let_go("open the hand"),
        go_home("go home"),
        wait("wait"),
    )
