"""TwoRobotStackCube: ManiSkill's task, judged stage by stage."""

from typing import Any

import numpy as np

from mmgames.embodied._control.game import TwoArms, closeness, stages
from mmgames.embodied._control.scene import ControlTask, RobotScene, apart
from mmgames.embodied._control.table import HALF

BLUE, GREEN, TARGET = range(3)
TARGET_RADIUS, ON_TOP = 0.06, 0.033


class TwoRobotStackCube(TwoArms):
    task = ControlTask.told_in(__package__)

    def judge(self, scene: RobotScene) -> tuple[Any, Any, Any]:
        blue, green, target = scene.things
        placed = apart(green[:2], target[:2]) < TARGET_RADIUS
        stacked = (apart(blue[:2], green[:2]) < ON_TOP) & (abs(blue[2] - green[2] - 2 * HALF) < 0.005)
        return placed & stacked & ~np.any(scene.facts, axis=0), placed, stacked

    def progress(self, scene: RobotScene) -> Any:
        blue, green, target = scene.things
        left, right = scene.robots
        held_blue, held_green = scene.facts[:2]
        placed, stacked = (scene.facts[self.task.fact(name)] for name in ("cubeB_placed", "is_cubeA_on_cubeB"))
        down = placed & (green[2] < 0.03) & np.logical_not(held_green)
        above = (green[0], green[1], green[2] + 0.04)
        return stages(
            (held_green | down, closeness(apart(right.hand, green))),
            (down, closeness(apart(green[:2], target[:2]))),
            (held_blue | stacked, closeness(apart(left.hand, blue))),
            (self.success(scene), closeness(apart(blue, above))),
        )
