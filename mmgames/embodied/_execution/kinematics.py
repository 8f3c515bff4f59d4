"""Where hands are, and which joints bring them somewhere: damped least squares over a robot's description."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mmgames.embodied._control.scene import turn_vector

Point = Sequence[float] | np.ndarray
STEPS = 60
"""So often joints are bettered before a try is given up."""

TRIES = 3
CLOSE, STRAIGHT = 0.004, 0.03
"""A hand is there when it is so near (metres) and turned so little (radians) from what was asked for."""

DAMPING = 0.03
LARGEST = 0.25
"""No joint changes by more in one step, in radians."""


class Chain:
    """The joints of one arm, from whatever carries it to its hand."""

    def __init__(self, model: Any, link: int, joints: Sequence[int], limits: np.ndarray) -> None:
        self.model, self.link, self.joints = model, link, np.array(joints)
        self._bends = np.random.default_rng(len(joints)).uniform(-0.6, 0.6, (TRIES, len(joints)))
        self._bends[0] = 0.0
        self.low, self.high = limits[self.joints, 0] + 0.02, limits[self.joints, 1] - 0.02

    def pose(self, angles: np.ndarray) -> np.ndarray:
        """The hand's place and turn as a matrix of four by four, from the robot's root."""
        self.model.compute_forward_kinematics(angles)
        return self.model.get_link_pose(self.link).to_transformation_matrix()

    def solve(self, wanted: np.ndarray, angles: np.ndarray) -> np.ndarray | None:
        """All joints, with those of this arm such that its hand is where it should be; None if that was not found.

        Where the way from the given joints leads nowhere, it is tried from a few others near them.
        """
        for bent in self._bends:
            start = angles.astype(float)
            start[self.joints] = np.clip(start[self.joints] + bent, self.low, self.high)
            found = self._solve(wanted, start)
            if found is not None:
                return found
        return None

    def _solve(self, wanted: np.ndarray, angles: np.ndarray) -> np.ndarray | None:
        for _ in range(STEPS):
            now = self.pose(angles)
            back = now[:3, :3].T
            error = np.concatenate([back @ (wanted[:3, 3] - now[:3, 3]), turn_vector(back @ wanted[:3, :3])])
            if np.linalg.norm(error[:3]) < CLOSE and np.linalg.norm(error[3:]) < STRAIGHT:
                return angles
            moves = self.model.compute_single_link_local_jacobian(angles, self.link)[:, self.joints]
            change = moves.T @ np.linalg.solve(moves @ moves.T + DAMPING**2 * np.eye(6), error)
            change *= min(1.0, LARGEST / max(1e-9, float(np.abs(change).max())))
            angles[self.joints] = np.clip(angles[self.joints] + change, self.low, self.high)
        return None


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
