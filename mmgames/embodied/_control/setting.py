"""What a control game looks like, as data: its room, furniture, robots and things, and where the camera hangs."""

import math
from typing import NamedTuple

from mmgames.embodied._scenes import furniture
from mmgames.embodied._scenes.camera import Camera
from mmgames.embodied._scenes.solids import UPRIGHT, Box, Point, Quaternion, Solids, moved

ROBOTS = {
    "panda": "panda/panda_v2.urdf",
    "fetch": "fetch/fetch.urdf",
    "unitree_g1_simplified_upper_body": "g1_humanoid/g1_simplified_upper_body.urdf",
}
"""Descriptions of robots in ManiSkill's wheel, by ManiSkill's names; the physics loads the same files."""


class CameraPose(NamedTuple):
    """How a task is looked at, in metres and radians."""

    eye: Point
    target: Point
    field: float = 1.0

    def camera(self, size: int) -> Camera:
        """For a picture as wide as it is high."""
        x, y, z = (to - at for to, at in zip(self.target, self.eye, strict=True))
        focal = size / 2 / math.tan(self.field / 2)
        return Camera(self.eye, math.atan2(y, x), math.atan2(z, math.hypot(x, y)), focal, size, size)


class Mesh(NamedTuple):
    """A model from a file of ManiSkill's wheel, as large, turned and placed as the physics has it, and what is drawn
    where that wheel is not needed."""

    file: str
    scale: float
    turn: Quaternion = UPRIGHT
    at: Point = (0.0, 0.0, 0.0)
    stand_in: Solids = ()


Look = Solids | Mesh


class Room(NamedTuple):
    """A box with a floor and walls; `style` is the floor's pattern, `windows` are by the way their wall looks."""

    box: Box
    palette: furniture.Palette
    style: int = 0
    windows: tuple[tuple[furniture.Way, float], ...] = ()
    floor: float = 0.0  # how high it lies

    def solids(self, eye: Point) -> Solids:
        """The floor, and those walls that a camera at a point does not stand behind."""
        box = self.box
        found = [*furniture.floor(box, self.palette, self.style)]
        for wall in furniture.walls(box, self.palette, dict(self.windows)):
            if not wall.hides_nothing_from(eye):
                found += wall.solids
        return moved(found, (0.0, 0.0, self.floor))


class Setting(NamedTuple):
    """All of it. Robots and things move; the looks of things are in the order in which the task names them."""

    robots: tuple[str, ...]
    things: tuple[Look, ...]
    furniture: tuple[Look, ...]
    room: Room
    shot: CameraPose

    def fixed(self) -> tuple[Look, ...]:
        """What does not move, the floor first."""
        return self.room.solids(self.shot.eye), *self.furniture
