"""Arms that are led: a hand goes straight from point to point while it turns to its heading.

A plan is a generator of such points, the aims. It looks at the scene as it goes, so it can wait for others and try
again. The planners of control games and the skills of skill games are made of the same pieces.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.embodied._control.scene import ControlTask, Pose, RobotScene, heading, matrix, turn_vector

OPEN, CLOSED = 1.0, -1.0
STRIDE = 0.1  # metres or radians that the full number of an action asks for
EAGER, CAREFUL = 2.0, 1.0  # a hand makes about a third of what it is asked for in a step
LEAN = 0.35  # radians: a hand whose fingers point outwards reaches further


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


class Arm:
    """One arm of a task on its way along a plan, which reads `scene` as it goes."""

    task: ControlTask
    seat: Seat
    scene: RobotScene

    def lead(self, task: ControlTask, seat: Seat, plan: Aims) -> None:
        """Begin a plan."""
        self.task, self.seat = task, seat
        self._plan = plan
        self._aim: Aim | None = None
        self._steps = 0

    def look(self, scene: RobotScene) -> None:
        """Take in the scene, and go on to the next aim if this one is reached; the last one is kept."""
        self.scene = scene
        if self._aim is None or self._steps >= self._aim.most or self._there(self._aim):
            self._aim, self._steps = next(self._plan, self._aim), 0

    def move(self) -> np.ndarray:
        """The numbers that bring the hand closer to its aim, for a hand that is moved along the world's axes."""
        assert self._aim is not None
        self._steps += 1
        parts = [self._aim.pace * error / STRIDE for error in self._errors(self._aim)]
        parts = [part / max(1.0, float(np.linalg.norm(part))) for part in parts]
        return np.array([*parts[0], *parts[1], self._aim.grip], np.float32)

    def _errors(self, aim: Aim) -> tuple[np.ndarray, np.ndarray]:
        """How far the hand has to go, and how it has to turn."""
        now = matrix(self.hand)
        fingers = now[:, 1] if aim.heading is None else np.array([np.cos(aim.heading), np.sin(aim.heading), 0.0])
        fingers = np.array([*fingers[:2], 0.0]) / np.linalg.norm(fingers[:2])
        if fingers @ now[:, 1] < 0:  # a gripper is the same from both sides
            fingers = -fingers
        out = np.subtract(self.hand[:2], self.base[:2])
        down = np.array([*(np.sin(aim.lean) * out / np.linalg.norm(out)), -np.cos(aim.lean)])
        fingers -= (fingers @ down) * down
        fingers /= np.linalg.norm(fingers)
        wanted = np.stack([np.cross(fingers, down), fingers, down], axis=1)
        return np.subtract(aim.point, self.hand[:3]), turn_vector(wanted @ now.T)

    def _there(self, aim: Aim) -> bool:
        far, turned = self._errors(aim)
        return bool(np.linalg.norm(far) < aim.near and np.linalg.norm(turned) < aim.turned)

    # What plans are made of.

    @property
    def base(self) -> Pose:
        return self.scene.robots[self.seat].base

    @property
    def hand(self) -> Pose:
        return self.scene.robots[self.seat].hand

    def thing(self, number: int) -> Pose:
        return self.scene.things[number]

    def holds(self, number: int) -> bool:
        return self.task.holds(self.scene, self.seat, number)

    def stay(self, steps: int, grip: float) -> Aims:
        """Only the fingers move."""
        yield Aim(self.hand[:3], None, grip, near=-1, most=steps)  # type: ignore[arg-type]

    def carry(self, thing: int, point: tuple[float, float, float], **how: float) -> Aim:
        """The thing in the hand to a point, wherever in the fingers it is."""
        way = np.subtract(point, self.thing(thing)[:3])
        return Aim(tuple(np.add(self.hand[:3], way)), None, CLOSED, **how)  # type: ignore[arg-type]

    def grasp(self, number: int, round: bool = False) -> Aims:
        """Take something that lies before the arm: above it, down, close. Cubes are taken by their sides."""
        for _ in range(3):
            x, y, z = self.thing(number)[:3]
            side = None if round else self._side(self.thing(number))
            yield Aim((x, y, z + 0.08), side, OPEN)
            x, y, z = self.thing(number)[:3]
            yield Aim((x, y, z), side, OPEN, near=0.008, most=15, pace=CAREFUL if round else EAGER)
            yield from self.stay(5 if round else 3, CLOSED)
            if self.holds(number):
                return

    def _side(self, cube: Pose) -> float:
        """The heading of the cube's sides that is the shortest turn away from that of the fingers."""
        fingers = matrix(self.hand)[:, 1]
        now = float(np.arctan2(fingers[1], fingers[0]))
        quarter = np.pi / 2
        return now + (heading(cube) - now + quarter / 2) % quarter - quarter / 2
