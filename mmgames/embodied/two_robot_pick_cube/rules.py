"""TwoRobotPickCube: ManiSkill's task, judged stage by stage."""

from typing import Any

from mmgames.embodied._control.game import TwoArms, closeness, stages
from mmgames.embodied._control.scene import ControlTask, RobotScene, apart, still

CUBE, GOAL = range(2)
RIGHT = 1
MIDDLE = -0.05  # beyond this y the right robot reaches the cube
GOAL_RADIUS, HIGHEST_GOAL = 0.025, 0.32


class TwoRobotPickCube(TwoArms):
    task = ControlTask.told_in(__package__)

    def judge(self, scene: RobotScene) -> tuple[Any, Any]:
        placed = apart(scene.things[CUBE], scene.things[GOAL]) <= GOAL_RADIUS
        return placed & still(scene.robots[RIGHT]), placed

    def progress(self, scene: RobotScene) -> Any:
        cube, goal = scene.things[CUBE], scene.things[GOAL]
        left, right = scene.robots
        held_left, held_right = scene.facts[:2]
        handed_over = held_right | (cube[1] > MIDDLE)
        return stages(
            (held_left | handed_over, closeness(apart(left.hand, cube))),
            (handed_over, 1 - (MIDDLE - cube[1]) / 0.2),
            (held_right, closeness(apart(right.hand, cube))),
            (self.success(scene), closeness(apart(cube, goal))),
        )
