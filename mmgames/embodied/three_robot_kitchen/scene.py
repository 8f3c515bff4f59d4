"""The kitchen as a ManiSkill environment; imported when the first one is opened, as ManiSkill is.

From ManiSkill's wheel: the counter, the robots, apple and bowl. Bell and serving spot are simple shapes.
"""

from pathlib import Path
from typing import Any

import numpy as np
import sapien
import torch
from mani_skill.agents.robots.fetch import FETCH_WHEELS_COLLISION_BIT
from mani_skill.envs.sapien_env import BaseEnv
from mani_skill.envs.tasks import humanoid
from mani_skill.utils.building import actors
from mani_skill.utils.registration import register_env
from mani_skill.utils.scene_builder.kitchen_counter import KitchenCounterSceneBuilder
from mani_skill.utils.structs.pose import Pose

from mmgames.embodied.three_robot_kitchen import layout

UPRIGHT = sapien.Pose(q=[np.sqrt(0.5), np.sqrt(0.5), 0, 0])  # the models have y up


@register_env(layout.TASK.id, max_episode_steps=10_000, override=True)
class ThreeRobotKitchenEnv(BaseEnv):
    SUPPORTED_REWARD_MODES = ("none",)
    SUPPORTED_ROBOTS = (layout.TASK.robots,)

    def __init__(self, *args: Any, robot_uids: Any = layout.TASK.robots, **kwargs: Any) -> None:
        super().__init__(*args, robot_uids=robot_uids, **kwargs)

    def _load_agent(self, options: dict) -> None:
        super()._load_agent(options, [sapien.Pose(*stand) for stand in layout.STANDS])
        self.agent.set_control_mode(list(layout.MODES))

    def _load_scene(self, options: dict) -> None:
        kitchen = KitchenCounterSceneBuilder(self)
        kitchen.build(scale=layout.COUNTER_SCALE)
        # Otherwise the ground holds the wheels and the robot cannot drive.
        kitchen.ground.set_collision_group_bit(group=2, bit_idx=FETCH_WHEELS_COLLISION_BIT, bit=1)
        self.ground = kitchen.ground
        builder, shape, how = self._model("frl_apartment_bowl_07", layout.COUNTER_SCALE, 0.2)
        builder.add_nonconvex_collision_from_file(shape, **how)
        self.bowl = builder.build_kinematic(name="bowl")
        builder, shape, how = self._model("apple_1", layout.APPLE_SCALE, 0.0)
        grip = sapien.physx.PhysxMaterial(static_friction=2.0, dynamic_friction=2.0, restitution=0.0)
        builder.add_multiple_convex_collisions_from_file(shape, **how, material=grip)
        self.apple = builder.build(name="apple")
        brass, blue = [0.8, 0.55, 0.1, 1], [0.1, 0.35, 0.8, 1]
        shown: dict[str, Any] = {"body_type": "kinematic", "add_collision": False}
        bell, spot = ({**shown, "initial_pose": sapien.Pose(place)} for place in ([0, 0, 2], [0, 0, 0]))
        self.bell = actors.build_sphere(self.scene, layout.BELL_RADIUS, brass, "bell", **bell)
        self.spot = actors.build_cylinder(self.scene, layout.SPOT_RADIUS, 0.004, blue, "spot", **spot)

    def _model(self, name: str, scale: float, x: float) -> tuple[Any, str, dict[str, Any]]:
        """What builds a thing that looks like a model of the wheel, the file of its shape, and how that stands."""
        builder, file = self.scene.create_actor_builder(), Path(humanoid.__file__).parent / "assets" / name
        how = {"pose": UPRIGHT, "scale": [scale] * 3}
        builder.add_visual_from_file(f"{file}.glb", **how)
        builder.initial_pose = sapien.Pose([x, -0.5, 1])
        return builder, f"{file}.ply", how

    def _initialize_episode(self, env_idx: torch.Tensor, options: dict) -> None:
        with torch.device(self.device):
            for agent, stand in zip(self.agent.agents, layout.STANDS, strict=True):
                keyframe = agent.keyframes["standing" if "standing" in agent.keyframes else "rest"]
                agent.reset(torch.tensor(keyframe.qpos, dtype=torch.float32).repeat(len(env_idx), 1))
                agent.robot.set_pose(sapien.Pose(*stand))
            for name, (low, high) in layout.REGIONS.items():
                place = torch.tensor(low) + torch.rand((len(env_idx), 2)) * (torch.tensor(high) - torch.tensor(low))
                height = torch.full((len(env_idx), 1), layout.HEIGHTS[name])
                # A cylinder lies along its x axis; a disc on the floor has it upright.
                turn = [np.sqrt(0.5), 0, np.sqrt(0.5), 0] if name == "spot" else [1, 0, 0, 0]
                getattr(self, name).set_pose(Pose.create_from_pq(torch.cat([place, height], dim=1), turn))

    def evaluate(self) -> dict:
        return {}
