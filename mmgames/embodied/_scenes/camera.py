"""A pinhole camera, and a picture it has taken: what every renderer of a scene is given, and gives back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mmgames.embodied._scenes.solids import Point

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

    def ways(self) -> np.ndarray:
        """The ways to its right, down and ahead."""
        cos, sin, up, level = math.cos(self.yaw), math.sin(self.yaw), math.sin(self.pitch), math.cos(self.pitch)
        return np.array([(sin, -cos, 0.0), (cos * up, sin * up, -level), (cos * level, sin * level, up)])


class Shot(NamedTuple):
    """A picture and the camera it was taken with. `seen` has how many pixels show each thing (by its name) and each
    robot (by its number), where that is known."""

    picture: np.ndarray
    lens: Camera
    seen: Mapping[str | int, float] | None = None

    def pixel(self, point: Point) -> tuple[float, float, float]:
        """Where a point is in the picture, and how far ahead of the camera; behind it the last is not positive."""
        return *self.lens.pixel(point), self.lens.see(point)[2]

    def shows(self, what: str | int) -> bool:
        """Whether anything of it is in the picture, as far as is known."""
        return self.seen is None or self.seen.get(what, 0.0) >= 1.0
