"""A pinhole camera, and a picture it has taken: what every renderer of a scene is given, and gives back; and where a
robot sees from: a camera over its shoulder or in its head."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from mmgames.embodied._scenes.solids import Box, Point, Pose, read

WIDTH, HEIGHT = 640, 360
"""The size for which points are given; other sizes are scaled."""

NEAR = 0.15


class Camera(NamedTuple):
    """A camera with the size of its picture, and its focal length in pixels of that."""

    eye: Point
    yaw: float
    pitch: float
    focal: float
    width: int = WIDTH
    height: int = HEIGHT

    def scaled(self, width: int) -> Camera:
        """The same for a picture of 16 to 9 of another width."""
        return self._replace(focal=self.focal * width / WIDTH, width=width, height=round(width * HEIGHT / WIDTH))

    def see(self, point: Point) -> Point:
        """A point as (right, up, ahead) of the camera."""
        x, y, z = (point[i] - self.eye[i] for i in range(3))
        ahead, left = x * math.cos(self.yaw) + y * math.sin(self.yaw), y * math.cos(self.yaw) - x * math.sin(self.yaw)
        cos, sin = math.cos(self.pitch), math.sin(self.pitch)
        return -left, z * cos - ahead * sin, ahead * cos + z * sin

    def shows(self, point: Point) -> bool:
        """Whether a point is well in the picture."""
        _, _, ahead = self.see(point)
        x, y = self.pixel(point)
        return ahead > 0.8 and 0.08 < x / self.width < 0.92 and 0.05 < y / self.height < 0.95

    def pixel(self, point: Point) -> tuple[float, float]:
        """Where a point is in the picture, pulled in front of the camera if it is behind it."""
        right, up, ahead = self.see(point)
        ahead = max(ahead, NEAR)
        return self.width / 2 + self.focal * right / ahead, self.height / 2 - self.focal * up / ahead

    @lru_cache(maxsize=64)  # noqa: B019 - a camera is a value
    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """Intrinsic and extrinsic matrix in OpenCV's convention: world -> camera (right, down, ahead) -> pixels."""
        cos, sin, up, level = math.cos(self.yaw), math.sin(self.yaw), math.sin(self.pitch), math.cos(self.pitch)
        ways = np.array([(sin, -cos, 0.0), (cos * up, sin * up, -level), (cos * level, sin * level, up)])
        intrinsic = np.array([(self.focal, 0, self.width / 2), (0, self.focal, self.height / 2), (0, 0, 1)])
        return intrinsic, np.concatenate([ways, -ways @ np.array(self.eye)[:, None]], axis=1)


class Shot(NamedTuple):
    """A picture, the camera it was taken with, and the foot of every thing. `seen` has how many pixels show each thing
    (by its name) and each robot (by its number), where that is known."""

    picture: np.ndarray
    lens: Camera
    feet: Mapping[str, Point] = MappingProxyType({})
    seen: Mapping[str | int, float] | None = None

    def pixel(self, point: Point) -> tuple[float, float, float]:
        """Where a point is in the picture, and how far ahead of the camera; behind it the last is not positive."""
        intrinsic, extrinsic = self.lens.matrices()
        x, y, z = (extrinsic[:, :3] @ np.array(point) + extrinsic[:, 3]).tolist()
        u, v, _ = (intrinsic @ np.array([x, y, max(z, NEAR)]) / max(z, NEAR)).tolist()
        return u, v, z

    def shows(self, what: str | int) -> bool:
        """Whether anything of it is in the picture, as far as is known."""
        return self.seen is None or self.seen.get(what, 0.0) >= 1.0


def cameras(kind: str, pose: Pose, look_at: Sequence[tuple[float, ...]]) -> Iterator[Camera]:
    """Cameras over the shoulder of a robot that look at the points, the nearer ones first.

    Walls that one hangs outside of are not drawn, so they do not stand in its way.
    """
    ways = [(x - pose.x, y - pose.y) for x, y, *_ in look_at]
    ahead = [(dx / far, dy / far) for dx, dy in ways if (far := math.hypot(dx, dy)) > 0.2]
    yaw = math.atan2(sum(dy for _, dy in ahead), sum(dx for dx, _ in ahead)) if ahead else pose.turn
    known, eyes = read("cameras")["over the shoulder"], max(read("cameras")["eyes"][kind], 1.0)
    for back, (lift, pitch), turn, aside in product(*(known[name] for name in ("behind", "lifted", "turns", "aside"))):
        way = yaw + turn
        x = pose.x - back * math.cos(way) + aside * math.sin(way)
        y = pose.y - back * math.sin(way) - aside * math.cos(way)
        yield Camera((x, y, eyes + lift * (1 + back)), way, pitch, WIDTH * known["focal"])


def head_camera(kind: str, pose: Pose, spot: tuple[float, ...], room: Box) -> Camera:
    """The camera in a robot's head, which has none of its own body before it.

    It looks where the robot does; at the robot's own spot, where it may stand before a wall, into the room.
    """
    x, y = room.middle
    yaw = math.atan2(y - pose.y, x - pose.x) if spot[:2] == pose[:2] else pose.turn
    known = read("cameras")["in the head"]
    ahead, eyes = known["ahead"], read("cameras")["eyes"][kind]
    eye = (pose.x + ahead * math.cos(yaw), pose.y + ahead * math.sin(yaw), eyes)
    return Camera(eye, yaw, known["pitch"], WIDTH * known["focal"])
