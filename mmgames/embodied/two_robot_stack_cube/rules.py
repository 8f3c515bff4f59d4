"""TwoRobotStackCube: ManiSkill's task, judged stage by stage."""

from __future__ import annotations

from mmgames.embodied._control.game import TwoArms, closeness, stages
from mmgames.embodied._control.scene import RobotScene, apart
from mmgames.embodied._control.table import ARMS, STACK
from mmgames.embodied._control.world import ManiSkillTask

BLUE, GREEN, TARGET = range(3)
LEFT, RIGHT = range(2)
TARGET_RADIUS = 0.06


class TwoRobotStackCube(TwoArms):
    task = ManiSkillTask(
        id=STACK,
        robots=("panda", "panda"),
        things=("cubeA", "cubeB", "goal_region"),
        grasps=((LEFT, "cubeA"), (RIGHT, "cubeB")),
        judged=("success", "cubeB_placed", "is_cubeA_on_cubeB"),
        module=ARMS,
    )

    def progress(self, scene: RobotScene) -> float:
        blue, green, target = scene.things
        left, right = scene.robots
        held_blue, held_green = scene.facts[:2]
        placed, stacked = (scene.facts[self.task.fact(name)] for name in ("cubeB_placed", "is_cubeA_on_cubeB"))
        down = placed and green[2] < 0.03 and not held_green
        above = (green[0], green[1], green[2] + 0.04)
        return stages(
            (held_green or down, closeness(apart(right.hand, green))),
            (down, closeness(apart((*green[:2], 0), (*target[:2], 0)))),
            (held_blue or stacked, closeness(apart(left.hand, blue))),
            (self.success(scene), closeness(apart(blue, above))),
        )
