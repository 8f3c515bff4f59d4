"""Games played in a simulator: SimulatedState makes their states values, SimulatedGame keeps the simulator.

A physics engine has one world that moves on; it can seldom be copied, pickled or compared. So a state holds what leads
to it (a seed and everybody's moves) and what it looks like (poses), and the engine is brought to a state by replay.
Views hold poses as well, and pictures are drawn from views.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from mmgames.core.game import Action, Game, Seat
from mmgames.errors import MmgamesError

View = TypeVar("View")
Simulator = TypeVar("Simulator")
Moves = tuple[tuple[Seat, Hashable], ...]


class SimulatedState(NamedTuple):
    """One position: how the world was set up, all moves since then, and where that has led."""

    seed: int
    history: tuple[Moves, ...]
    poses: Any  # whatever `SimulatedGame.reset` and `.step` return: a hashable value, such as a tuple of numbers


class SimulatedGame(Game[SimulatedState, View], Generic[Simulator, View]):
    """Rules over poses that a simulator works out. Such a game sets `searchable=False`: going back means replaying.

    A game writes `open`, `reset` and `step` for its engine, and movers, returns and view from `state.poses`; and
    `shut`, where an engine must be closed or can be used again by others.
    """

    _simulator: Simulator | None = None
    _stands_at: SimulatedState | None = None

    def open(self) -> Simulator:
        """A new simulator; called once, when it is first needed, and again in every copy of the game."""
        raise NotImplementedError

    def reset(self, simulator: Simulator, seed: int) -> Any:
        """Set up the world that belongs to a seed; its poses."""
        raise NotImplementedError

    def step(self, simulator: Simulator, moves: Mapping[Seat, Action]) -> Any:
        """Let everybody's moves take effect; the poses afterwards."""
        raise NotImplementedError

    def shut(self, simulator: Simulator) -> None:
        """The game is done with this simulator."""

    def close(self) -> None:
        if self._simulator is not None:
            simulator, self._simulator, self._stands_at = self._simulator, None, None
            self.shut(simulator)

    def start(self, rng: np.random.Generator) -> SimulatedState:
        return self.begin(int(rng.integers(2**63)))

    def begin(self, seed: int) -> SimulatedState:
        """The start that belongs to a seed."""
        return self._stand(SimulatedState(seed, (), self.reset(self._opened(), seed)))

    def play(self, state: SimulatedState, actions: Mapping[Seat, Action], rng: np.random.Generator) -> SimulatedState:
        self._go_to(state)
        moves = tuple((seat, _value(move)) for seat, move in sorted(actions.items()))
        poses = self.step(self._opened(), dict(moves))
        return self._stand(SimulatedState(state.seed, (*state.history, moves), poses))

    def simulator_at(self, state: SimulatedState) -> Simulator:
        """The simulator, standing at a state; for whoever wants to ask it more than the poses tell."""
        self._go_to(state)
        return self._opened()

    def _opened(self) -> Simulator:
        if self._simulator is None:
            self._simulator = self.open()
        return self._simulator

    def _stand(self, state: SimulatedState) -> SimulatedState:
        self._stands_at = state
        return state

    def _go_to(self, state: SimulatedState) -> None:
        if state is self._stands_at or state == self._stands_at:
            return
        self._stands_at = None  # should anything raise on the way
        simulator = self._opened()
        poses = self.reset(simulator, state.seed)
        for moves in state.history:
            poses = self.step(simulator, dict(moves))
        if poses != state.poses:
            raise MmgamesError(
                f"{self.spec.id}: replaying {len(state.history)} transitions led elsewhere, so this simulator does "
                "not do the same things twice; set it to deterministic and reset all of it in reset()."
            )
        self._stand(state)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_simulator": None, "_stands_at": None}


def _value(move: Any) -> Hashable:
    """A move as a value: arrays as tuples, which hold the same numbers."""
    value: Hashable = _tuples(move.tolist()) if isinstance(move, np.ndarray) else move
    return value


def _tuples(numbers: Any) -> Any:
    return tuple(_tuples(item) for item in numbers) if isinstance(numbers, Sequence) else numbers
