"""Rings around what robots go for, on the picture that one of them sees, in the colours of the robots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mmgames.drawing.canvas import WHITE
from mmgames.embodied._scenes.ego import WIDTH
from mmgames.embodied._scenes.silhouettes import ROBOT_COLOURS

RADIUS, THICK = 15.0, 3.0
"""In pixels of a picture of 640 by 360. Rings of robots that go for the same thing lie around each other."""


def ring(picture: np.ndarray, ends: Sequence[tuple[str, tuple[float, float]]]) -> None:
    """Draw a ring for each (robot type, point of a picture of 640 by 360) on a picture of any size."""
    scale = picture.shape[1] / WIDTH
    for number, (robot, (x, y)) in enumerate(ends):
        around = sum(abs(x - other) + abs(y - level) < RADIUS for _, (other, level) in ends[:number])
        radius = (RADIUS + around * 2 * THICK) * scale
        reach = int(radius + 3 * scale) + 1
        left, top = max(0, int(x * scale) - reach), max(0, int(y * scale) - reach)
        part = picture[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
        rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        apart = np.abs(np.hypot(columns - x * scale, rows - y * scale) - radius)
        part[apart < (THICK / 2 + 1) * scale] = WHITE
        part[apart < max(0.7, THICK / 2 * scale)] = ROBOT_COLOURS[robot]
