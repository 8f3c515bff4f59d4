"""Two arms at a table: hands that are led from point to point, and the plans that solve the cube tasks with them.

The motion planning is plain: a hand goes straight to its next point while it turns to its heading, and the plan of a
job is a list of such points. Where the other arm has to be waited for, a plan looks at the scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.embodied._control.scene import ControlView, Pose, heading, matrix, turn_vector
from mmgames.errors import MmgamesError

OPEN, CLOSED = 1.0, -1.0
STRIDE = 0.1  # metres or radians that the full number of an action asks for
EAGER, CAREFUL = 2.0, 1.0  # a hand makes about a third of what it is asked for in a step
LEAN = 0.35  # radians: a hand whose fingers point outwards reaches further
LEFT, RIGHT = range(2)


class Aim(NamedTuple):
    """Where a hand is to go, fingers down: the point, the heading of the line between the fingers, and the grip."""

    point: tuple[float, float, float]
    heading: float | None  # None: as it is
    grip: float
    near: float = 0.02  # metres
    turned: float = 0.1  # radians
    most: int = 40  # steps, after which the plan goes on all the same
    lean: float = 0.0  # radians by which the fingers point away from the base
    pace: float = EAGER  # how many times the way is asked for; more than once may be out of the arm's reach


Aims = Iterator[Aim]


class ArmPlanner(Agent):
    """Leads one arm along a plan, which a subclass writes as a generator of aims; it reads `self.view` as it goes."""

    view: ControlView
    seat: Seat

    def begin(self, game: Game, seat: Seat) -> None:
        if game.options.get("control", "hand") != "hand":
            raise MmgamesError(f"{game.spec.id}: the agent 'planner' moves hands, so it needs control='hand'.")
        self.seat = seat
        self._plan = self.plan()
        self._aim: Aim | None = None
        self._steps = 0

    def plan(self) -> Aims:
        raise NotImplementedError

    def act(self, turn: Turn) -> np.ndarray:
        self.view = turn.view
        if self._aim is None or self._steps >= self._aim.most or self._there(self._aim):
            self._aim, self._steps = next(self._plan, self._aim), 0
        assert self._aim is not None
        self._steps += 1
        return self._move(self._aim)

    @property
    def hand(self) -> Pose:
        return self.view.scene.robots[self.seat].hand

    def _errors(self, aim: Aim) -> tuple[np.ndarray, np.ndarray]:
        """How far the hand has to go, and how it has to turn."""
        now = matrix(self.hand)
        fingers = now[:, 1] if aim.heading is None else np.array([np.cos(aim.heading), np.sin(aim.heading), 0.0])
        fingers = np.array([*fingers[:2], 0.0]) / np.linalg.norm(fingers[:2])
        if fingers @ now[:, 1] < 0:  # a gripper is the same from both sides
            fingers = -fingers
        out = np.subtract(self.hand[:2], self.view.scene.robots[self.seat].base[:2])
        down = np.array([*(np.sin(aim.lean) * out / np.linalg.norm(out)), -np.cos(aim.lean)])
        fingers -= (fingers @ down) * down
        fingers /= np.linalg.norm(fingers)
        wanted = np.stack([np.cross(fingers, down), fingers, down], axis=1)
        return np.subtract(aim.point, self.hand[:3]), turn_vector(wanted @ now.T)

    def _there(self, aim: Aim) -> bool:
        far, turned = self._errors(aim)
        return bool(np.linalg.norm(far) < aim.near and np.linalg.norm(turned) < aim.turned)

    def _move(self, aim: Aim) -> np.ndarray:
        parts = [aim.pace * error / STRIDE for error in self._errors(aim)]
        parts = [part / max(1.0, float(np.linalg.norm(part))) for part in parts]
        return np.array([*parts[0], *parts[1], aim.grip], np.float32)

    # What plans are made of.

    def thing(self, number: int) -> Pose:
        return self.view.scene.things[number]

    def holds(self) -> bool:
        return self.view.scene.facts[self.seat]

    def stay(self, steps: int, grip: float) -> Aims:
        """Only the fingers move."""
        yield Aim(self.hand[:3], None, grip, near=-1, most=steps)  # type: ignore[arg-type]

    def grasp(self, number: int, round: bool = False) -> Aims:
        """Take something that lies before the arm: above it, down, close. Cubes are taken by their sides."""
        for _ in range(3):
            x, y, z = self.thing(number)[:3]
            side = None if round else self._side(self.thing(number))
            yield Aim((x, y, z + 0.08), side, OPEN)
            x, y, z = self.thing(number)[:3]
            yield Aim((x, y, z), side, OPEN, near=0.008, most=15, pace=CAREFUL if round else EAGER)
            yield from self.stay(5 if round else 3, CLOSED)
            if self.holds():
                return

    def _side(self, cube: Pose) -> float:
        """The heading of the cube's sides that is the shortest turn away from that of the fingers."""
        fingers = matrix(self.hand)[:, 1]
        now = float(np.arctan2(fingers[1], fingers[0]))
        quarter = np.pi / 2
        return now + (heading(cube) - now + quarter / 2) % quarter - quarter / 2


class PickPlanner(ArmPlanner):
    """The left arm lays the cube in the middle and leaves; the right one takes it to the goal."""

    def plan(self) -> Aims:
        return self._left() if self.seat == LEFT else self._right()

    def _left(self) -> Aims:
        yield from self.grasp(0)
        x = 0.5 * self.thing(0)[0]
        yield Aim((x, self.hand[1], 0.06), None, CLOSED, near=0.03)
        yield Aim((x, 0.0, 0.06), None, CLOSED)
        yield Aim((x, 0.0, 0.022), None, CLOSED, near=0.008, most=8)
        yield from self.stay(2, OPEN)
        yield Aim((x, -0.1, 0.2), None, OPEN, near=0.1, most=6)
        yield Aim((0.0, -0.3, 0.25), None, OPEN, near=0.0, most=200)

    def _right(self) -> Aims:
        while self._taken():
            yield Aim((0.0, 0.3, 0.25), None, OPEN, near=0.0, most=1)
        yield from self.grasp(0)
        while True:
            way = np.subtract(self.thing(1)[:3], self.thing(0)[:3])
            yield Aim(tuple(np.add(self.hand[:3], way)), None, CLOSED, near=-1, most=1)  # type: ignore[arg-type]

    def _taken(self) -> bool:
        """Whether the cube is still the left arm's."""
        left, cube = self.view.scene.robots[LEFT].hand, self.thing(0)
        return cube[1] < -0.05 or cube[2] > 0.03 or bool(np.linalg.norm(np.subtract(left[:3], cube[:3])) < 0.1)


class StackPlanner(ArmPlanner):
    """The right arm lays the green cube on the target; then the left one sets the blue cube upon it."""

    def plan(self) -> Aims:
        return self._left() if self.seat == LEFT else self._right()

    def _right(self) -> Aims:
        yield from self.grasp(1)
        target = self.thing(2)
        # Fingers that point down reach no further than 0.8 m from the base, and the target is there.
        x, y = target[0], target[1] + 0.025
        yield Aim((self.hand[0], self.hand[1], 0.1), None, CLOSED, near=0.03)
        yield Aim((x, y, 0.1), None, CLOSED, near=0.03, turned=0.2, most=25, lean=LEAN, pace=CAREFUL)
        yield Aim((x, y, 0.032), None, CLOSED, near=0.01, turned=0.2, most=12, lean=LEAN, pace=CAREFUL)
        yield from self.stay(2, OPEN)
        yield Aim((x, y + 0.05, 0.2), None, OPEN, near=0.08, most=6)
        yield Aim((0.0, 0.38, 0.25), None, OPEN, near=0.0, most=200)

    def _left(self) -> Aims:
        yield from self.grasp(0)
        while self._waits():
            yield Aim((0.0, -0.38, 0.25), None, CLOSED, near=0.0, most=1)
        yield Aim((*self.thing(1)[:2], 0.14), None, CLOSED, near=0.01)  # type: ignore[arg-type]
        for height in (0.1, 0.0405):
            yield self._over(height)
        yield from self.stay(3, OPEN)
        yield Aim((self.hand[0], self.hand[1], 0.2), None, OPEN, near=0.0, most=200)

    def _over(self, height: float) -> Aim:
        """The blue cube so high above the green one, wherever in the fingers it is."""
        blue, green = np.array(self.thing(0)[:3]), np.array(self.thing(1)[:3])
        point = np.add(self.hand[:3], green + np.array([0, 0, height]) - blue)
        return Aim(tuple(point), None, CLOSED, near=0.006, most=12)  # type: ignore[arg-type]

    def _waits(self) -> bool:
        right, green = self.view.scene.robots[RIGHT].hand, self.thing(1)
        placed = self.view.scene.facts[3] and green[2] < 0.03
        return not placed or bool(np.linalg.norm(np.subtract(right[:3], green[:3])) < 0.12)
