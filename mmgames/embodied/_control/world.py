"""A ManiSkill environment that is stepped: the engine behind a ControlGame.

It has physics and no pictures. ManiSkill itself is imported when the first world is opened.
"""

from __future__ import annotations

import functools
import importlib.util
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from mmgames.embodied._control.scene import Pose, RobotScene, RobotState, SkillResult
from mmgames.embodied._scenes import renderer

if importlib.util.find_spec("mani_skill") is None:  # registry.load makes a sentence of it that names the extra
    raise ImportError("mani_skill is not installed")

T = TypeVar("T")
FULL_COLLECTION = 16
"""So many scenes are thrown away before Python looks through all its memory for them; each look takes 0.2 s."""


@dataclass(frozen=True)
class ManiSkillTask:
    """One of ManiSkill's environments: its robots by their ManiSkill names, and what of it goes into a Scene."""

    id: str
    robots: tuple[str, ...]
    things: tuple[str, ...]  # attributes of the environment
    grasps: tuple[tuple[int, str], ...]  # the first facts: this robot holds this thing
    judged: tuple[str, ...]  # the others: what the environment's `evaluate` says
    module: str = ""  # what must be imported so that ManiSkill knows the id
    hands: tuple[str, ...] = ()  # attribute of each robot that is its hand; "tcp" unless said otherwise

    def fact(self, name: str) -> int:
        """The place of a judgement among the facts."""
        return len(self.grasps) + self.judged.index(name)

    def holds(self, scene: RobotScene, robot: int, thing: int) -> bool:
        """Whether this robot holds the thing of that number."""
        grasp = robot, self.things[thing]
        return grasp in self.grasps and scene.facts[self.grasps.index(grasp)]


def quietly(call: Callable[..., T]) -> Callable[..., T]:
    """ManiSkill does things that newer versions of NumPy and PyTorch warn of; nobody who plays can mend that."""

    @functools.wraps(call)
    def quiet(*args: Any, **kwargs: Any) -> T:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*args, **kwargs)

    return quiet


class SimulatedWorld:
    """One scene of a task. `reset` builds all of it anew: only so does the same seed give the same numbers again."""

    def __init__(self, task: ManiSkillTask, modes: Sequence[str]) -> None:
        self.task, self.modes = task, tuple(modes)
        self._env = make(task, modes)
        self.begun = self.reached = 0.0  # how far the episode's start was, and what it has gained since
        self.story: tuple[tuple[SkillResult, ...], ...] = ()  # see RobotScene
        self.lease = 0  # to whom it is lent: see engines.py
        self.scene_now: RobotScene

    @quietly
    def reset(self, seed: int) -> RobotScene:
        renderer.start_sapien()  # says so in a process that was forked
        with renderer.quietly():  # SwiftShader has something to say about every scene
            self._env.reset(seed=seed % 2**32, options={"reconfigure": True})
        return self._look(self._env.evaluate())

    @quietly
    def step(self, actions: Sequence[np.ndarray]) -> RobotScene:
        """All robots move for a twentieth of a second; each action is for its robot's own controller."""
        names = self._env.agent.agents_dict
        *_, judged = self._env.step(dict(zip(names, actions, strict=True)))
        return self._look(judged)

    def _look(self, judged: Mapping[str, Any]) -> RobotScene:
        env, task = self._env, self.task
        agents = env.agent.agents
        hands = task.hands or ("tcp",) * len(agents)
        robots = tuple(
            RobotState(
                _pose(agent.robot.pose),
                _numbers(agent.robot.get_qpos()),
                _numbers(agent.robot.get_qvel()),
                _pose(getattr(agent, hand).pose),
            )
            for agent, hand in zip(agents, hands, strict=True)
        )
        things = tuple(_pose(getattr(env, name).pose) for name in task.things)
        held = [agents[robot].is_grasping(getattr(env, name)) for robot, name in task.grasps]
        facts = tuple(bool(fact) for fact in (*held, *(judged[name] for name in task.judged)))
        self.scene_now = RobotScene(robots, things, facts)
        return self.scene_now

    def close(self) -> None:
        if self._env is not None:
            self._env.close()
            self._env = None


@quietly
def make(task: ManiSkillTask, modes: Sequence[str], **more: Any) -> Any:
    """ManiSkill's environment of a task, without observations and rewards of its own; only batches end by its clock."""
    renderer.start_maniskill()
    import gymnasium
    from mani_skill.utils import logging_utils

    if task.module:
        importlib.import_module(task.module)
    logging_utils.logger.setLevel("ERROR")  # it advises against robots without cameras on their wrists
    _collect_seldom()
    options = {
        "sim_backend": "physx_cpu",
        "render_backend": "none",
        "obs_mode": "none",
        "reward_mode": "none",
        "robot_uids": task.robots,
    }
    if len(set(modes)) == 1:  # otherwise the task sets them itself
        options["control_mode"] = modes[0]
    with renderer.quietly():
        made = gymnasium.make(task.id, disable_env_checker=True, **{**options, **more})
    return made if "num_envs" in more else made.unwrapped


def _collect_seldom() -> None:
    """ManiSkill collects garbage whenever it throws a scene away, which takes longer than to build the next one."""
    import gc
    from types import SimpleNamespace

    from mani_skill.envs import sapien_env

    if sapien_env.gc is not gc:
        return
    thrown_away = 0

    def collect() -> None:
        nonlocal thrown_away
        thrown_away += 1
        gc.collect(2 if thrown_away % FULL_COLLECTION == 0 else 1)

    sapien_env.gc = SimpleNamespace(collect=collect)


def _numbers(tensor: Any) -> tuple[float, ...]:
    return tuple(tensor[0].tolist())


def _pose(pose: Any) -> Pose:
    return _numbers(pose.raw_pose)
