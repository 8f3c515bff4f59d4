"""What a world of robots looks like at one moment, as values, and the turns and frames that poses are reckoned with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat

Pose = tuple[float, ...]
"""x, y and z in metres, then the turn as a quaternion w, x, y, z; all in the frame of the world."""


class RobotState(NamedTuple):
    base: Pose
    joints: tuple[float, ...]
    speeds: tuple[float, ...]  # of the joints
    hand: Pose  # the point between the fingers


class SkillResult(NamedTuple):
    """What came of a skill."""

    skill: str  # its name
    failed: str  # why, in words; empty: it is done
    steps: int  # of control that it took


class RobotScene(NamedTuple):
    """What `ControlGame` keeps as a state's poses. `ManiSkillTask` names the things and the facts, in this order."""

    robots: tuple[RobotState, ...]
    things: tuple[Pose, ...]
    facts: tuple[bool, ...]
    reached: float = 0.0  # how far the job has come at its best: 0 at the start, 1 when it is done
    story: tuple[tuple[SkillResult, ...], ...] = ()  # of skill games: for every decision what came of each seat's skill


class ControlView(NamedTuple):
    """Nothing is hidden: every robot knows where everything is."""

    seat: Seat | None
    scene: RobotScene
    step: int
    over: bool
    numbers: int  # that an action of the seat has; none for a spectator
    coordinates: bool = False  # whether words beside a picture tell them too
    possible: tuple[int, ...] = ()  # of skill games: the skills that the seat can try now


def matrix(pose: Sequence[float]) -> np.ndarray:
    """The turn of a pose as a matrix; its columns are the axes of the thing."""
    w, x, y, z = pose[3:]
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turn_vector(turn: np.ndarray) -> np.ndarray:
    """The axis of a turn, as long as its angle in radians."""
    angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    length = np.linalg.norm(axis)
    return np.zeros(3) if length < 1e-9 else axis * (angle / length)


def heading(pose: Sequence[float]) -> float:
    """The angle by which something is turned about the vertical, in radians."""
    axes = matrix(pose)
    return float(np.arctan2(axes[1, 0], axes[0, 0]))


def apart(one: Sequence[float], other: Sequence[float]) -> float:
    """How far two poses lie apart, in metres."""
    return float(np.linalg.norm(np.subtract(one[:3], other[:3])))


def base_of(robot: RobotState) -> tuple[float, float, float]:
    """Where a robot that drives stands: x, y and its heading. Its first three joints are how far it has driven."""
    forward, aside, turned = robot.joints[:3]
    start = heading(robot.base)
    x = robot.base[0] + forward * np.cos(start) - aside * np.sin(start)
    y = robot.base[1] + forward * np.sin(start) + aside * np.cos(start)
    return float(x), float(y), start + turned
