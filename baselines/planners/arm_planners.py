"""Two arms at a table: the plans that solve the cube tasks, point by point.

The motion planning is plain: the plan of a job is a list of points for a hand. Where the other arm has to be waited
for, a plan looks at the scene.
"""

from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.embodied._control.arm_motion import CAREFUL, CLOSED, LEAN, OPEN, Aim, Aims, Arm
from mmgames.errors import MmgamesError

LEFT, RIGHT = range(2)


class ArmPlanner(Arm, Agent):
    """Leads one arm along a plan, which a subclass writes as a generator of aims; it reads `self.scene` as it goes."""

    def begin(self, game: Game[Any, Any], seat: Seat) -> None:
        if game.options.get("control", "hand") != "hand":
            raise MmgamesError(f"{game.spec.id}: the agent 'planner' moves hands, so it needs control='hand'.")
        self.seat = seat
        self.lead(game.task, seat, self.plan())  # type: ignore[attr-defined]  # of a ControlGame

    def plan(self) -> Aims:
        raise NotImplementedError

    def act(self, turn: Turn) -> np.ndarray:
        self.look(turn.view.scene)
        return self.move()


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
            yield self.carry(0, self.thing(1)[:3], near=-1, most=1)  # type: ignore[arg-type]

    def _taken(self) -> bool:
        """Whether the cube is still the left arm's."""
        left, cube = self.scene.robots[LEFT].hand, self.thing(0)
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
            x, y, z = self.thing(1)[:3]
            yield self.carry(0, (x, y, z + height), near=0.006, most=12)
        yield from self.stay(3, OPEN)
        yield Aim((self.hand[0], self.hand[1], 0.2), None, OPEN, near=0.0, most=200)

    def _waits(self) -> bool:
        right, green = self.scene.robots[RIGHT].hand, self.thing(1)
        placed = self.scene.facts[3] and green[2] < 0.03
        return not placed or bool(np.linalg.norm(np.subtract(right[:3], green[:3])) < 0.12)
