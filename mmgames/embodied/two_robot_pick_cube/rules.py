"""TwoRobotPickCube: ManiSkill's task, judged stage by stage."""

from __future__ import annotations

from mmgames.embodied._control.game import TwoArms, closeness, stages
from mmgames.embodied._control.scene import RobotScene, apart
from mmgames.embodied._control.table import ARMS, PICK
from mmgames.embodied._control.world import ManiSkillTask

CUBE, GOAL = range(2)
LEFT, RIGHT = range(2)
MIDDLE = -0.05
"""Beyond this y the right robot reaches the cube."""
GOAL_RADIUS, HIGHEST_GOAL = 0.025, 0.32


class TwoRobotPickCube(TwoArms):
    task = ManiSkillTask(
        id=PICK,
        robots=("panda", "panda"),
        things=("cube", "goal_site"),
        grasps=((LEFT, "cube"), (RIGHT, "cube")),
        judged=("success", "is_obj_placed"),
        module=ARMS,
    )

    def progress(self, scene: RobotScene) -> float:
        cube, goal = scene.things[CUBE], scene.things[GOAL]
        left, right = scene.robots
        held_left, held_right = scene.facts[:2]
        handed_over = held_right or cube[1] > MIDDLE
        return stages(
            (held_left or handed_over, closeness(apart(left.hand, cube))),
            (handed_over, 1 - (MIDDLE - cube[1]) / 0.2),
            (held_right, closeness(apart(right.hand, cube))),
            (self.success(scene), closeness(apart(cube, goal))),
        )
