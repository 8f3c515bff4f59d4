"""A kitchen without weight: joints go where they are told, fingers hold what is between them, what is let go falls.

Nothing is pushed aside, slips or tips over; a door goes along with the hand that has its handle. No package is needed.
"""

from typing import Any

import numpy as np

from mmgames.embodied._control.scene import standing
from mmgames.embodied._execution.bodies import Body, Hand
from mmgames.embodied._execution.shapes import SLIDE, Cupboard, Shape
from mmgames.embodied._scenes.geometry import Box

BETWEEN = 0.025  # a hand takes what has a grip, or a handle, so near to the point between its fingers, in metres
PARALLEL = 0.9  # and whose grip lies along its fingers' line: the cosine of the angle between them


class Kinematic:
    """What moves a `kitchen.Kitchen`."""

    def __init__(self, kitchen: Any) -> None:
        self.kitchen = kitchen
        self.poses: dict[str, np.ndarray] = {}
        self.held: dict[Hand, str] = {}  # the thing or door that a hand has
        self.grips: dict[str, np.ndarray] = {}  # where held things are, seen from their hand
        self.inside: dict[str, tuple[str, np.ndarray]] = {}  # what lies in a dish, and where, seen from the dish

    def pose(self, name: str) -> np.ndarray:
        return self.poses[name]

    def block(self, box: Box) -> None:
        """Furniture is in nobody's way: robots are led around it."""

    def thing(self, name: str, shape: Shape, pose: np.ndarray, fixed: bool) -> None:
        self.poses[name] = pose
        if not fixed:
            self._fall(name)

    def cupboard(self, name: str, made: Cupboard) -> None:
        self.poses[name] = made.pose

    def embody(self, body: Body) -> None:
        """Its joints are where they are told to be."""

    def step(self) -> None:
        """A twentieth of a second."""
        for body in self.kitchen.robots.values():
            for hand in body.hands:
                closed = body.target[hand.fingers[0]] < hand.chain.open / 2
                if closed and hand not in self.held:
                    self._close(hand)
                elif not closed and hand in self.held:
                    name = self.held.pop(hand)
                    if name in self.grips:
                        del self.grips[name]
                        self._fall(name)
                elif hand in self.held:
                    self._carry(hand, self.held[hand])

    def _close(self, hand: Hand) -> None:
        """Take what is between the fingers; nothing if there is nothing."""
        pose, kitchen = hand.pose, self.kitchen
        handles = ((cupboard.handle(), name) for name, cupboard in kitchen.cupboards.items())
        near = [(float(np.linalg.norm(handle - pose[:3, 3])), name) for handle, name in handles]
        for name, at in self.poses.items():
            for grip in kitchen.shapes[name].grips if name not in self.held.values() else ():
                lines = at[:3, :3] @ np.array([(np.cos(angle), np.sin(angle), 0.0) for angle in grip.closing]).T
                if np.abs(pose[:3, 1] @ lines).max() > PARALLEL:
                    point = (at @ (*grip.point, 1.0))[:3]
                    near.append((float(np.linalg.norm(point - pose[:3, 3])), name))
        far, name = min(near, default=(BETWEEN, ""))
        if far < BETWEEN:
            self.held[hand] = name
            if name not in kitchen.cupboards:
                self.grips[name] = np.linalg.inv(pose) @ self.poses[name]
                self.inside.pop(name, None)

    def _carry(self, hand: Hand, name: str) -> None:
        cupboard = self.kitchen.cupboards.get(name)
        if cupboard is None:
            self.bring(name, hand.pose @ self.grips[name])
        else:
            way = float((hand.pose[:3, 3] - cupboard.handle()) @ cupboard.along)
            cupboard.slid = min(max(cupboard.slid + way, 0.0), SLIDE)

    def bring(self, name: str, pose: np.ndarray) -> None:
        """Put a thing somewhere, with what lies in it."""
        self.poses[name] = pose
        for other, (dish, at) in self.inside.items():
            if dish == name:
                self.bring(other, pose @ at)

    def _fall(self, name: str) -> None:
        """Upright and straight down: into the dish, onto the furniture or to the floor below."""
        kitchen, pose = self.kitchen, self.poses[name]
        x, y, z = pose[:3, 3].tolist()
        dish = next((other for other in kitchen.dishes(name) if kitchen.is_in(other, (x, y, z))), "")
        tops = [side.box.top for side in kitchen.fronts.values() if side.box.covers(x, y)]
        level = max([top for top in tops if top < z + 0.03], default=0.0)
        if dish:
            level = float(self.poses[dish][2, 3]) + kitchen.shapes[dish].floor
        fallen = standing(x, y, level, float(np.arctan2(pose[1, 0], pose[0, 0])))
        self.bring(name, fallen)
        if dish:
            self.inside[name] = dish, np.linalg.inv(self.poses[dish]) @ fallen
