"""ControlGame: robots that act at the same time in a physics engine, towards one end, for one reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from mmgames.core.game import Action, Seat
from mmgames.core.simulation import SimulatedGame, SimulatedState
from mmgames.core.spec import GameSpec
from mmgames.embodied._control import engines
from mmgames.embodied._control.scene import ControlView, RobotScene, matrix
from mmgames.embodied._control.world import ManiSkillTask, SimulatedWorld

HAND, JOINTS = "pd_ee_delta_pose", "pd_joint_delta_pos"
"""ManiSkill's names of the controllers that move a hand and the joints."""


KEPT_STARTS = 64
_starts: dict[tuple[ManiSkillTask, tuple[str, ...], int], SimulatedState] = {}


class ControlGame(SimulatedGame[SimulatedWorld, ControlView]):
    """A game says which `task` it is, with which controllers (`modes`), and how far a scene has come (`progress`)."""

    task: ClassVar[ManiSkillTask]
    modes: tuple[str, ...]
    sizes: tuple[int, ...]  # how many numbers an action of each robot has

    def progress(self, scene: RobotScene) -> float:
        """How far the job has come, from 0 to 1; 1 exactly where `success` says that it is done."""
        raise NotImplementedError

    def success(self, scene: RobotScene) -> bool:
        return scene.facts[self.task.fact("success")]

    def events(self, state: SimulatedState) -> Mapping[str, int]:
        return {"success": int(self.success(state.poses))}

    def open(self) -> SimulatedWorld:
        return engines.lend(self, self.task, self.modes)

    def shut(self, simulator: SimulatedWorld) -> None:
        engines.take_back(simulator, simulator.lease)

    def begin(self, seed: int) -> SimulatedState:
        """A start that is known needs no engine: every environment begins with one, to measure its spaces."""
        key = self.task, self.modes, seed
        if key not in _starts:
            _starts[key] = super().begin(seed)
            if len(_starts) > KEPT_STARTS:
                del _starts[next(iter(_starts))]
        return _starts[key]

    def reset(self, simulator: SimulatedWorld, seed: int) -> RobotScene:
        scene = simulator.reset(seed)
        simulator.begun, simulator.reached = self.progress(scene), 0.0
        return scene

    def step(self, simulator: SimulatedWorld, moves: Mapping[Seat, Action]) -> RobotScene:
        robots = simulator.scene_now.robots
        actions = [
            own_frame(robots[seat].base, moves[seat]) if mode == HAND else np.array(moves[seat], np.float32)
            for seat, mode in enumerate(self.modes)
        ]
        scene = simulator.step(actions)
        gained = (self.progress(scene) - simulator.begun) / (1 - simulator.begun)
        simulator.reached = max(simulator.reached, gained)
        return scene._replace(reached=simulator.reached)

    def bounds(self, seat: Seat) -> tuple[np.ndarray, np.ndarray]:
        high = np.ones(self.sizes[seat], np.float32)
        return -high, high

    def movers(self, state: SimulatedState) -> tuple[Seat, ...]:
        over = len(state.history) >= self.spec.length or self.success(state.poses)
        return () if over else tuple(range(len(self.seats)))

    def returns(self, state: SimulatedState) -> tuple[float, ...]:
        return (state.poses.reached,) * len(self.seats)

    def sparse(self, state: SimulatedState) -> tuple[float, ...]:
        return (float(self.success(state.poses)),) * len(self.seats)

    def view(self, state: SimulatedState, seat: Seat | None) -> ControlView:
        numbers = 0 if seat is None else self.sizes[seat]
        over, told = not self.movers(state), self.options["coordinates"]
        return ControlView(seat, state.poses, len(state.history), over, numbers, told)


class TwoArms(ControlGame):
    """Two Panda arms; the option `control` says what the numbers of their actions move."""

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        hand = self.options.get("control", "hand") == "hand"
        self.modes = (HAND if hand else JOINTS,) * 2
        self.sizes = (7 if hand else 8,) * 2


def own_frame(base: Sequence[float], move: Sequence[float]) -> np.ndarray:
    """A move of a hand along and about the world's axes, for ManiSkill's controller, which has those of the base.

    That controller turns the other way round than it is told to.
    """
    to_base = matrix(base).T
    return np.array([*(to_base @ move[:3]), *(-to_base @ move[3:6]), *move[6:]], np.float32)


def stages(*shares: tuple[bool, float]) -> float:
    """How far a job of several stages has come: each is (whether it is passed, else which share of it is done)."""
    for number, (passed, share) in enumerate(shares):
        if not passed:
            return (number + min(max(share, 0.0), 0.99)) / len(shares)
    return 1.0


def closeness(distance: float, reach: float = 0.3) -> float:
    """1 on the spot, falling to 0 with the distance."""
    return float(np.exp(-distance / reach))
