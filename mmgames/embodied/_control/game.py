"""ControlGame: robots that act at the same time in a physics engine, towards one end, for one reward."""

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from mmgames.core.game import Action, Seat
from mmgames.core.simulation import SimulatedGame, SimulatedState
from mmgames.core.spec import GameSpec, Simulator
from mmgames.embodied._control.scene import HAND, JOINTS, ControlTask, ControlView, RobotScene, World
from mmgames.errors import MissingExtra, missing_extra

PHYSICS, KINEMATIC = "physics", "kinematic"
KEPT_STARTS = 64
_starts: dict[tuple[ControlTask, tuple[str, ...], str, int], SimulatedState] = {}


class ControlGame(SimulatedGame[World, ControlView]):
    """A game says which `task` it is, with which controllers (`modes`), and how far a scene has come (`progress`).

    The option `engine` says what moves the robots: ManiSkill's physics, or `kinematic.py`, for which `judge` is there.
    """

    task: ClassVar[ControlTask]
    modes: tuple[str, ...]
    sizes: tuple[int, ...]  # how many numbers an action of each robot has

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.engine: str = self.options.get("engine", PHYSICS)
        if self.engine == PHYSICS and importlib.util.find_spec("mani_skill") is None:
            raise MissingExtra(missing_extra(spec.id, spec.extras, spec.without_extras))
        if self.engine != PHYSICS:
            rows = "mmgames.embodied._control.kinematic:KinematicRows" if spec.actions == "box" else ""
            self.settle(extras=(), simulator=Simulator(rows=rows, vector=spec.simulator.vector))

    def judge(self, scene: RobotScene) -> Sequence[Any]:
        """What `task.judged` names, of a scene whose facts are who holds what; ManiSkill says it where it steps."""
        raise NotImplementedError

    def progress(self, scene: RobotScene) -> Any:
        """How far the job has come, from 0 to 1; 1 exactly where `success` says that it is done."""
        raise NotImplementedError

    def success(self, scene: RobotScene) -> bool:
        return scene.facts[self.task.fact("success")]

    def events(self, state: SimulatedState) -> Mapping[str, int]:
        return {"success": int(self.success(state.poses))}

    def open(self) -> World:
        if self.engine == PHYSICS:
            from mmgames.embodied._control.world import lend

            return lend(self, self.task, self.modes)
        from mmgames.embodied._control.kinematic import KinematicWorld

        return KinematicWorld(self.task, self.modes, self.judge)

    def shut(self, simulator: World) -> None:
        simulator.give_back()

    def begin(self, seed: int) -> SimulatedState:
        """A start that is known needs no engine: every environment begins with one, to measure its spaces."""
        key = self.task, self.modes, self.engine, seed
        if key not in _starts:
            _starts[key] = super().begin(seed)
            if len(_starts) > KEPT_STARTS:
                del _starts[next(iter(_starts))]
        return _starts[key]

    def reset(self, simulator: World, seed: int) -> RobotScene:
        scene = simulator.reset(seed)
        simulator.begun, simulator.reached = float(self.progress(scene)), 0.0
        return scene

    def step(self, simulator: World, moves: Mapping[Seat, Action]) -> RobotScene:
        scene = simulator.step([moves[seat] for seat in range(len(self.modes))])
        gained = (float(self.progress(scene)) - simulator.begun) / (1 - simulator.begun)
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
        return ControlView(seat, state.poses, len(state.history), over, numbers, told, self.engine == PHYSICS)


class TwoArms(ControlGame):
    """Two Panda arms; the option `control` says what the numbers of their actions move."""

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        hand = self.options.get("control", "hand") == "hand"
        self.modes = (HAND if hand else JOINTS,) * 2
        self.sizes = (7 if hand else 8,) * 2


def stages(*shares: tuple[Any, Any]) -> Any:
    """How far a job of several stages has come: each is (whether it is passed, else which share of it is done)."""
    found: Any = 1.0
    for number, (passed, share) in reversed(list(enumerate(shares))):
        found = np.where(passed, found, (number + np.clip(share, 0.0, 0.99)) / len(shares))
    return found


def closeness(distance: Any, reach: float = 0.3) -> Any:
    """1 on the spot, falling to 0 with the distance."""
    return np.exp(-distance / reach)
