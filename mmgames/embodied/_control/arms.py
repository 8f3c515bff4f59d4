"""ManiSkill's tasks of two arms, with arms that begin drawn back; imported when ManiSkill is.

Its own arms begin with their hands above the middle of the table, where they hide the cubes and the goal, or hold the
goal between their fingers.
"""

from typing import Any

import numpy as np
import torch
from mani_skill.envs.tasks.tabletop.two_robot_pick_cube import TwoRobotPickCube
from mani_skill.envs.tasks.tabletop.two_robot_stack_cube import TwoRobotStackCube
from mani_skill.utils.registration import register_env

from mmgames.embodied._control.table import DRAWN_BACK

OVER_THE_TABLE = (0.0, np.pi / 8, 0.0, -np.pi * 5 / 8, 0.0, np.pi * 3 / 4, np.pi / 4, 0.04, 0.04)


class DrawnBack:
    def _initialize_episode(self: Any, env_idx: torch.Tensor, options: dict) -> None:
        """Both arms as `DRAWN_BACK` has them; each joint is off by as much as ManiSkill has drawn."""
        super()._initialize_episode(env_idx, options)  # type: ignore[misc]
        for agent in self.agent.agents:
            joints = agent.robot.get_qpos()[env_idx]
            change = np.subtract(DRAWN_BACK, OVER_THE_TABLE)
            agent.reset(joints + torch.tensor(change, dtype=joints.dtype, device=joints.device))
        self.left_init_qpos = self.left_agent.robot.get_qpos()


@register_env("MmgamesTwoRobotPickCube-v0", max_episode_steps=100, override=True)
class PickFromTheSides(DrawnBack, TwoRobotPickCube):
    pass


@register_env("MmgamesTwoRobotStackCube-v0", max_episode_steps=100, override=True)
class StackFromTheSides(DrawnBack, TwoRobotStackCube):
    pass
