"""Draws the window icon with the canvas kit: `python -m mmgames.assets.draw_icon` writes assets/window/icon.png."""

from pathlib import Path

import numpy as np
from PIL import Image

from mmgames.drawing.canvas import BLUE, GOLD, INK, PAPER, RED, WHITE, Pen, mix, stamp

SIZE = 128
WHERE = Path(__file__).parent / "window" / "icon.png"


def icon(pen: Pen) -> None:
    """A red and a blue token, face to face over a coin, on a board's corner."""
    pen.rect(0.03, 0.03, 0.97, 0.97, WHITE, mix(INK, PAPER, 0.35), 0.03, radius=0.18)
    pen.disc(0.5, 0.74, 0.13, mix(GOLD, INK, 0.5))
    pen.disc(0.5, 0.74, 0.105, GOLD)
    for x, colour, look in ((0.3, RED, 0.03), (0.7, BLUE, -0.03)):
        pen.disc(x, 0.39, 0.2, mix(colour, INK, 0.45))
        pen.disc(x, 0.39, 0.175, colour)
        for eye in (-0.06, 0.06):
            pen.disc(x + eye, 0.36, 0.04, WHITE)
            pen.disc(x + eye + look / 2, 0.365, 0.02, INK)
        pen.arc(x, 0.4, 0.08, 30, 150, WHITE, 0.022)


def draw() -> np.ndarray:
    return stamp(icon, SIZE, SIZE, PAPER)


if __name__ == "__main__":
    WHERE.parent.mkdir(exist_ok=True)
    Image.fromarray(draw()).save(WHERE)
