"""What a world of robots looks like at one moment, as values, and the turns and frames that poses are reckoned with."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.embodied._scenes.solids import read

HAND, JOINTS = "pd_ee_delta_pose", "pd_joint_delta_pos"
"""ManiSkill's names of the controllers that move a hand and the joints."""

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
    """What `ControlGame` keeps as a state's poses. `ControlTask` names the things and the facts, in this order.

    Many scenes of one task can be told as one, with an array wherever a single one has a number or a fact.
    """

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
    rendered: bool = True  # by SAPIEN, or drawn by our own renderer
    possible: tuple[int, ...] = ()  # of skill games: the skills that the seat can try now


class Start(NamedTuple):
    """Where a thing is at the start, between two corners, and how far its middle is from its sides."""

    low: tuple[float, float, float]
    high: tuple[float, float, float]
    half: float = 0.0  # nobody can take what has none
    turn: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)  # none: any heading


@dataclass(frozen=True)
class ControlTask:
    """A job for robots, by their ManiSkill names, and what of its world goes into a RobotScene."""

    id: str  # of ManiSkill's environment
    robots: tuple[str, ...]
    things: tuple[str, ...]  # attributes of the environment
    grasps: tuple[tuple[int, str], ...]  # the first facts: this robot holds this thing
    judged: tuple[str, ...]  # the others: what the environment's `evaluate` says
    module: str = ""  # what must be imported so that ManiSkill knows the id
    hands: tuple[str, ...] = ()  # attribute of each robot that is its hand; "tcp" unless said otherwise
    bases: tuple[tuple[float, ...], ...] = ()  # without physics: where each robot stands, x, y, z and its heading
    starts: tuple[Start, ...] = ()  # and where its things lie

    @classmethod
    def told_in(cls, package: str | None) -> "ControlTask":
        """The one that stands in task.json of a game's folder."""
        told = read("task", str(package))
        return cls(**{**told, "starts": tuple(Start(**start) for start in told.get("starts", ()))})

    def fact(self, name: str) -> int:
        """The place of a judgement among the facts."""
        return len(self.grasps) + self.judged.index(name)

    def holds(self, scene: RobotScene, robot: int, thing: int) -> bool:
        """Whether this robot holds the thing of that number."""
        grasp = robot, self.things[thing]
        return grasp in self.grasps and scene.facts[self.grasps.index(grasp)]


class World:
    """What steps the robots of a task: physics, or arms that only go where they are told."""

    def __init__(self, task: ControlTask, modes: Sequence[str]) -> None:
        self.task, self.modes = task, tuple(modes)
        self.begun = self.reached = 0.0  # how far the episode's start was, and what it has gained since
        self.story: tuple[tuple[SkillResult, ...], ...] = ()  # see RobotScene
        self.give_back: Any = lambda: None  # whoever has it is done with it: see `world.lend`
        self.scene_now: RobotScene

    def reset(self, seed: int) -> RobotScene:
        raise NotImplementedError

    def step(self, moves: Sequence[np.ndarray]) -> RobotScene:
        """All robots move for a twentieth of a second; hands along and about the axes of the world."""
        raise NotImplementedError


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


def standing(x: float, y: float, z: float, turn: float) -> np.ndarray:
    """The pose of something upright."""
    pose, cos, sin = np.eye(4), math.cos(turn), math.sin(turn)
    pose[:2, :2], pose[:3, 3] = ((cos, -sin), (sin, cos)), (x, y, z)
    return pose


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


def apart(one: Sequence[float], other: Sequence[float]) -> Any:
    """How far two poses lie apart, in metres."""
    way = np.subtract(one[:3], other[:3])
    return float(np.linalg.norm(way)) if way.ndim == 1 else np.linalg.norm(way, axis=0)


def still(robot: RobotState) -> Any:
    """Whether an arm has come to rest, as ManiSkill has it: joints at less than 0.2 radians a second."""
    return np.abs(robot.speeds[:-2]).max(axis=0) <= 0.2


def base_of(robot: RobotState) -> tuple[float, float, float]:
    """Where a robot that drives stands: x, y and its heading. Its first three joints are how far it has driven."""
    forward, aside, turned = robot.joints[:3]
    start = heading(robot.base)
    x = robot.base[0] + forward * np.cos(start) - aside * np.sin(start)
    y = robot.base[1] + forward * np.sin(start) + aside * np.cos(start)
    return float(x), float(y), start + turned
