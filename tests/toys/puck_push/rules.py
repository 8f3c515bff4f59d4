"""PuckPush: rules over the poses of a simulator that lives on the game."""

import threading
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.simulation import SimulatedGame, SimulatedState

STEPS = 12
LOW, HIGH = np.full(2, -1, np.float32), np.full(2, 1, np.float32)


class Puck(NamedTuple):
    x: float
    y: float
    speed_x: float
    speed_y: float


class Table:
    """A little physics: it moves on by itself and, like real engines, it can be neither copied nor compared."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # what no pickle takes along
        self.place, self.speed = np.zeros(2), np.zeros(2)

    def set_up(self, seed: int) -> None:
        self.place, self.speed = np.zeros(2), np.random.default_rng(seed).uniform(-0.05, 0.05, 2)

    def blow(self, force: np.ndarray) -> None:
        self.speed = 0.9 * (self.speed + 0.1 * force)
        self.place = self.place + self.speed
        if abs(self.place[1]) > 1:
            self.place[1] = 2 * np.sign(self.place[1]) - self.place[1]
            self.speed[1] = -self.speed[1]

    def puck(self) -> Puck:
        return Puck(*self.place.tolist(), *self.speed.tolist())


class PuckView(NamedTuple):
    seat: Seat | None
    puck: Puck
    step: int
    over: bool


class PuckPush(SimulatedGame[Table, PuckView]):
    def bounds(self, seat: Seat) -> tuple[np.ndarray, np.ndarray]:
        return LOW, HIGH

    def open(self) -> Table:
        return Table()

    def reset(self, simulator: Table, seed: int) -> Puck:
        simulator.set_up(seed)
        return simulator.puck()

    def step(self, simulator: Table, moves: Mapping[Seat, tuple[float, float]]) -> Puck:
        simulator.blow(np.sum([moves[0], moves[1]], axis=0))
        return simulator.puck()

    def movers(self, state: SimulatedState) -> tuple[Seat, ...]:
        return () if len(state.history) == STEPS or abs(state.poses.x) > 1 else (0, 1)

    def returns(self, state: SimulatedState) -> tuple[float, float]:
        return state.poses.x, -state.poses.x

    def view(self, state: SimulatedState, seat: Seat | None) -> PuckView:
        return PuckView(seat, state.poses, len(state.history), not self.movers(state))
