"""PuckPush as a picture and as features."""

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import INK, LINE, PAPER, RED, Pen

from .rules import STEPS, PuckView


def disc(pen: Pen) -> None:
    pen.disc(0.5, 0.5, 0.46, RED, INK, 0.06)


def draw(view: PuckView, size: int = 512) -> np.ndarray:
    frame = canvas.blank(size, size)
    edge, side = size // 8, max(8, size // 12)
    canvas.outline(frame, edge, edge, size - edge, size - edge, LINE, max(1, size // 128))
    middle, reach = size / 2, size / 2 - edge
    x, y = (float(np.clip(place, -1.1, 1.1)) for place in (view.puck.x, -view.puck.y))
    canvas.paste(
        frame, canvas.stamp(disc, side, side, PAPER), round(middle + x * reach), round(middle + y * reach), "c"
    )
    return frame


def features(view: PuckView) -> np.ndarray:
    puck = np.clip(view.puck, -1, 1)
    return np.array([*puck, 2 * view.step / STEPS - 1, 1 if view.over else -1], np.float32)
