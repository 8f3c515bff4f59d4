"""ManiSkill environments that are stepped, the engines behind ControlGames: lent to games, and used again.

They have physics and no pictures. ManiSkill itself is imported when the first world is opened. To open one takes half a
second and memory that never comes back, and many games are made and thrown away: an engine that nobody holds any more
serves the next game of the same task. Two games never share one.
"""

import atexit
import importlib
import threading
import warnings
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from mmgames.embodied._control.scene import HAND, ControlTask, Pose, RobotScene, RobotState, World, matrix
from mmgames.embodied._scenes import renderer

FULL_COLLECTION = 16
"""So many scenes are thrown away before Python looks through all its memory for them; each look takes 0.2 s."""


@contextmanager
def quietly() -> Iterator[None]:
    """ManiSkill does things that newer versions of NumPy and PyTorch warn of; nobody who plays can mend that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class SimulatedWorld(World):
    """One scene of a task. `reset` builds all of it anew: only so does the same seed give the same numbers again."""

    def __init__(self, task: ControlTask, modes: Sequence[str]) -> None:
        super().__init__(task, modes)
        self._env = make(task, modes)

    @quietly()
    def reset(self, seed: int) -> RobotScene:
        renderer.start_sapien()  # says so in a process that was forked
        with renderer.quietly():  # SwiftShader has something to say about every scene
            self._env.reset(seed=seed % 2**32, options={"reconfigure": True})
        return self._look(self._env.evaluate())

    @quietly()
    def step(self, moves: Sequence[np.ndarray]) -> RobotScene:
        names, robots = self._env.agent.agents_dict, self.scene_now.robots
        actions = [
            own_frame(robot.base, move) if mode == HAND else np.array(move, np.float32)
            for robot, move, mode in zip(robots, moves, self.modes, strict=True)
        ]
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


def own_frame(base: Sequence[float], move: np.ndarray) -> np.ndarray:
    """A move of a hand along and about the world's axes, for ManiSkill's controller, which has those of the base.

    That controller turns the other way round than it is told to.
    """
    to_base = matrix(base).T
    return np.array([*(to_base @ move[:3]), *(-to_base @ move[3:6]), *move[6:]], np.float32)


@quietly()
def make(task: ControlTask, modes: Sequence[str]) -> Any:
    """ManiSkill's environment of a task, without observations, rewards and a clock of its own."""
    renderer.start_maniskill()
    import gymnasium
    from mani_skill.utils import logging_utils

    if task.module:
        importlib.import_module(task.module)
    logging_utils.logger.setLevel("ERROR")  # it advises against robots without cameras on their wrists
    _collect_seldom()
    options: dict[str, Any] = dict.fromkeys(("render_backend", "obs_mode", "reward_mode"), "none")
    if len(set(modes)) == 1:  # otherwise the task sets them itself
        options["control_mode"] = modes[0]
    with renderer.quietly():
        made = gymnasium.make(
            task.id, disable_env_checker=True, sim_backend="physx_cpu", robot_uids=task.robots, **options
        )
    return made.unwrapped


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


MOST_IDLE = 2  # so many engines of one kind wait for their next game; others are closed

_idle: dict[tuple[ControlTask, tuple[str, ...]], list[SimulatedWorld]] = {}
_lock = threading.RLock()


def lend(game: Any, task: ControlTask, modes: Sequence[str]) -> SimulatedWorld:
    """An engine for a game alone, until that gives it back or is gone."""
    with _lock:
        waiting = _idle.get((task, tuple(modes)))
        world = waiting.pop() if waiting else SimulatedWorld(task, modes)
    world.give_back = weakref.finalize(game, _take_back, world)  # does so once
    world.give_back.atexit = False
    return world


def _take_back(world: SimulatedWorld) -> None:
    """The engine is free for others."""
    with _lock:
        waiting = _idle.setdefault((world.task, world.modes), [])
        if len(waiting) < MOST_IDLE:
            waiting.append(world)
        else:
            world.close()


@atexit.register
def _close_all() -> None:
    """Before the interpreter takes the driver apart: an engine that is closed after it brings the process down."""
    with _lock:
        for waiting in _idle.values():
            for world in waiting:
                world.close()
        _idle.clear()
