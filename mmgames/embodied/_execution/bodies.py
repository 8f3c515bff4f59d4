"""Robots as joints: chains that end in hands with two fingers, and which joints bring a hand somewhere.

Whatever moves the joints, physics or nothing but what they are told, the robots are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._control.kinematic import JOINTS, chain_frames, joint_changes
from mmgames.embodied._control.scene import standing, turn_vector
from mmgames.embodied._scenes.solids import read
from mmgames.embodied._world.names import KINDS
from mmgames.kernels.compiling import compiled_in_background

Point = Sequence[float] | np.ndarray
HERTZ = 20  # so many times a second robots are told where to go
STEPS = 60  # so often joints are bettered before a try is given up
TRIES = 3
CLOSE, STRAIGHT = 0.004, 0.03
"""A hand is there when it is so near (metres) and turned so little (radians) from what was asked for."""

LARGEST = 0.25  # no joint changes by more in one step, in radians
PACE = 0.09
"""How far a joint is told to go in a twentieth of a second, in radians; what slides goes half as many metres."""

MOST_TURNED = 4.7
"""Joints that turn without end are turned no further than this, in radians: after 2 π physics begins anew."""

WITHIN = 0.02  # joints stay so far from their limits
DOWN = (0.0, 0.0, -1.0)
WAYS = {"x": ((0, 0, 1), (1, 0, 0), (0, 1, 0)), "y": ((0, 1, 0), (0, 0, 1), (1, 0, 0)), "z": np.eye(3)}
"""Turns that bring the z axis into the axis of a joint: all chains turn about z and slide along it."""


class Joint(NamedTuple):
    name: str
    how: str  # "turns" or "slides", and its axis
    at: tuple[float, float, float, float]  # on the link before it: x, y, z and a turn about x
    low: float
    high: float


class Chain:
    """The joints from a robot's root to a hand with two fingers: those `before` and, with `panda` before their names,
    those of a Panda arm on its `mount`. Only the last `moves` of them move for this hand alone."""

    def __init__(
        self, before: Sequence[Joint], tip: Point, fingers: Sequence[str], open: float, rest: Sequence[float],
        panda: str = "", mount: Any = None, moves: int = len(JOINTS),
    ) -> None:  # fmt: skip
        self.fingers, self.open = fingers, open
        self.rest = rest  # where it is carried, from the robot's base
        joints = [*before]
        for number, (sine, x, y, z, low, high) in enumerate(JOINTS.tolist() if panda else ()):
            at = mount if mount and not number else (x, y, z, math.asin(sine))
            joints.append(Joint(f"{panda}joint{number + 1}", "turns z", at, low, high))
        self.joints = tuple(joints)
        self.slides = np.array([joint.how.startswith("slides") for joint in joints])
        axes = [np.eye(3), *(np.array(WAYS[joint.how[-1]], float) for joint in joints), np.eye(3)]
        places = [*(joint.at for joint in joints), (*tip, 0.0)]
        self.origins = np.empty((len(places), 3, 4))
        for number, (x, y, z, turn) in enumerate(places):
            level, sine = np.cos(turn), np.sin(turn)
            about_x = np.array([(1, 0, 0), (0, level, -sine), (0, sine, level)])
            back = axes[number].T
            self.origins[number, :, :3] = back @ about_x @ axes[number + 1]
            self.origins[number, :, 3] = back @ (x, y, z)
        self.origins[-1, :, :3] = self.origins[-1, :, :3] @ standing(0, 0, 0, -math.pi / 4 if panda else 0.0)[:3, :3]
        self.first = len(joints) - moves
        self.low = np.array([joint.low for joint in joints])[self.first :] + WITHIN
        self.high = np.array([joint.high for joint in joints])[self.first :] - WITHIN
        self._bends = np.random.default_rng(moves).uniform(-0.6, 0.6, (TRIES, moves))
        self._bends[0] = 0.0

    def frames(self, values: np.ndarray) -> np.ndarray:
        """Of all links and the tip, seen from the robot's root."""
        found = np.empty_like(self.origins)
        compiled_in_background(chain_frames)(AT_ROOT, self.origins, self.slides, values, found)
        return found

    def solve(self, wanted: np.ndarray, values: np.ndarray) -> np.ndarray | None:
        """The values of all joints with which the hand is where it should be; None if that was not found.

        Where the way from the given ones leads nowhere, it is tried from a few others near them.
        """
        for bent in self._bends:
            start = values.astype(float)
            start[self.first :] = np.clip(start[self.first :] + bent, self.low, self.high)
            if self._solve(wanted, start):
                return start
        return None

    def _solve(self, wanted: np.ndarray, values: np.ndarray) -> bool:
        change, slides = np.empty(len(values) - self.first), self.slides[self.first :]
        for _ in range(STEPS):
            frames = self.frames(values)
            tip = frames[-1]
            error = np.concatenate([wanted[:3, 3] - tip[:, 3], turn_vector(wanted[:3, :3] @ tip[:, :3].T)])
            if np.linalg.norm(error[:3]) < CLOSE and np.linalg.norm(error[3:]) < STRAIGHT:
                return True
            compiled_in_background(joint_changes)(frames[self.first :], slides, error, change)
            step = change * min(1.0, LARGEST / max(1e-9, float(np.abs(change).max())))
            values[self.first :] = np.clip(values[self.first :] + step, self.low, self.high)
        return False


class Build(NamedTuple):
    """A body for robots of a kind."""

    file: str  # its description in ManiSkill's wheel; empty: there is none
    words: str
    hands: tuple[Chain, ...]
    base: tuple[Joint, ...]  # on which it drives
    pointing: str  # the axis of a hand along which its fingers point
    rest: dict[str, float]
    parts: tuple[dict[str, Any], ...] = ()  # how it looks: what stands on the floor, and what its first joint lifts
    torso: tuple[dict[str, Any], ...] = ()


def _build(drives: bool, joints: Any, hands: Any, **more: Any) -> Build:
    base = tuple(Joint(*row) for row in _KNOWN["base"]) if drives else ()
    before = [*base, *(Joint(*row) for row in joints)]
    return Build(hands=tuple(Chain(before, **hand) for hand in hands), base=base, **more)


AT_ROOT = np.eye(3, 4)
_KNOWN = read("builds", __package__)
BUILDS = {kind: _build(**_KNOWN[kind]) for kind in KINDS}  # which body plays robots of a kind


def facing(point: Point, approach: Point, fingers: Point, pointing: str) -> np.ndarray:
    """The pose of a hand at a point: the way its fingers point, and the line along which they close.

    `pointing` is the axis of the hand's own frame along which its fingers point; they close along its y.
    """
    ahead = np.array(approach, float) / np.linalg.norm(approach)
    across = np.array(fingers, float) - (np.array(fingers, float) @ ahead) * ahead
    across /= np.linalg.norm(across)
    axes = (np.cross(across, ahead), across, ahead) if pointing == "z" else (ahead, across, np.cross(ahead, across))
    pose = np.eye(4)
    pose[:3, :3] = np.stack(axes, axis=1)
    pose[:3, 3] = point
    return pose


def raised(pose: np.ndarray, by: float) -> np.ndarray:
    higher = pose.copy()
    higher[2, 3] += by
    return higher


class Hand:
    def __init__(self, body: Body, number: int) -> None:
        self.body, self.chain = body, body.build.hands[number]
        self.path = [body.names.index(joint.name) for joint in self.chain.joints]
        self.joints = self.path[self.chain.first :]
        self.fingers = [body.names.index(name) for name in self.chain.fingers]
        self.holds: str | None = None
        self.grip: np.ndarray = np.eye(4)  # what it holds, as the hand sees it
        self.rest: np.ndarray = np.zeros(0)  # angles of its joints

    @property
    def pose(self) -> np.ndarray:
        pose = np.eye(4)
        pose[:3] = self.chain.frames(self.body.joints[self.path])[-1]
        return self.body.root @ pose

    def at_rest(self) -> np.ndarray:
        """All joints of the robot as they are told to be, but this arm at rest."""
        angles = self.body.target.copy()
        angles[self.joints] = self.rest
        return angles

    def tuck(self) -> Iterator[None]:
        """Bring the arm to rest."""
        yield from self.body.sweep(self.at_rest(), self.joints)

    def spread(self, width: float, steps: int) -> Iterator[None]:
        """Tell the fingers how far to be from the middle, and give them time."""
        told = self.body.target.copy()
        told[self.fingers] = width
        self.body.tell(told)
        yield from self.body.wait(steps)

    def solve(self, pose: np.ndarray, start: np.ndarray) -> np.ndarray | None:
        """All joints of the robot, this arm's such that the hand is there."""
        found = self.chain.solve(np.linalg.inv(self.body.root) @ pose, start[self.path])
        if found is None:
            return None
        angles = start.astype(float)
        angles[self.path] = found
        return angles

    def angles_for(self, pose: np.ndarray, start: np.ndarray | None = None) -> np.ndarray | None:
        """The same; a gripper is the same from both sides."""
        over = (-1.0, -1.0, 1.0, 1.0) if self.body.build.pointing == "z" else (1.0, -1.0, -1.0, 1.0)
        for turned in (pose, pose @ np.diag(over)):
            found = self.solve(turned, self.body.target if start is None else start)
            if found is not None:
                return found
        return None


class Body:
    """One robot. `target` is where its joints are told to be; `motors` bring them there, if there are any."""

    def __init__(self, kind: str, at: tuple[float, float, float, float]) -> None:
        self.kind, self.build = kind, BUILDS[kind]
        self.motors: Any = None
        chains = self.build.base, *(hand.joints for hand in self.build.hands)
        joints = {joint.name: joint for chain in chains for joint in chain}
        fingers = [name for hand in self.build.hands for name in hand.fingers]
        self.names = list(dict.fromkeys((*joints, *fingers, *self.build.rest)))
        self.slides = np.array([name in joints and joints[name].how.startswith("slides") for name in self.names])
        x, y, z, turn = at
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        self.target = np.array([self.build.rest.get(name, 0.0) for name in self.names])
        self.base = [*range(len(self.build.base))]
        self.root = np.eye(4)
        if self.base:
            self.target[self.base] = (x, y, turn)
        else:
            self.root = standing(x, y, z, turn)
        self.hands = [Hand(self, number) for number in range(len(self.build.hands))]
        for hand in self.hands:
            self.target[hand.fingers] = hand.chain.open
        for hand in self.hands:
            wanted = facing(self.ahead(hand.chain.rest), DOWN, self.across(), self.build.pointing)
            found = hand.angles_for(wanted)
            self.target = self.target if found is None else found
        for hand in self.hands:
            hand.rest = self.target[hand.joints].copy()

    @property
    def joints(self) -> np.ndarray:
        """Where its joints are."""
        return self.target if self.motors is None else self.motors.joints()

    @property
    def stand(self) -> tuple[float, float, float]:
        """Where it is told to stand: x, y and its heading."""
        if self.base:
            return tuple(self.target[self.base])  # type: ignore[return-value]
        return float(self.root[0, 3]), float(self.root[1, 3]), math.atan2(self.root[1, 0], self.root[0, 0])

    def ahead(self, point: Sequence[float]) -> tuple[float, float, float]:
        """A point that is given from the robot's base, in the world."""
        x, y, turn = self.stand
        c, s = math.cos(turn), math.sin(turn)
        return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1], float(self.root[2, 3]) + point[2]

    def across(self) -> tuple[float, float, float]:
        """The way to the robot's left."""
        turn = self.stand[2]
        return -math.sin(turn), math.cos(turn), 0.0

    def tell(self, angles: np.ndarray) -> None:
        self.target = angles
        if self.motors is not None:
            self.motors.tell(angles)

    def sweep(self, angles: np.ndarray, joints: Sequence[int]) -> Iterator[None]:
        """Bring some joints where they should be, all of them arriving together."""
        joints = list(joints)
        pace = np.where(self.slides[joints], PACE / 2, PACE)
        way = np.abs(angles[joints] - self.target[joints]) / pace
        yield from self.lead(joints, angles[joints], max(1, math.ceil(float(np.max(way, initial=0.0)))))

    def lead(self, joints: Sequence[int], end: Any, steps: int) -> Iterator[None]:
        """Bring joints somewhere in so many equal steps."""
        begin = self.target[joints].copy()
        way = np.asarray(end) - begin
        for step in range(1, steps + 1):
            told = self.target.copy()
            told[joints] = begin + way * step / steps
            self.tell(told)
            yield

    def wait(self, steps: int) -> Iterator[None]:
        for _ in range(steps):
            yield
