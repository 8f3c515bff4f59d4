"""Controls that several devices have, as paint functions for `canvas.stamp`: keys, screens, little lights.

Each fills its box. A paint function does not know the shape of its box, so those that set text are told its
width over its height.
"""

from functools import lru_cache

from mmgames.drawing.canvas import INK, WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation.picture import DARK, PANEL, length

IVORY: Colour = (240, 234, 218)
GLASS: Colour = (18, 28, 25)
GLOW: Colour = (126, 244, 150)
OFF: Colour = (84, 90, 92)
RIGHT: Colour = (74, 206, 96)
WRONG: Colour = (230, 66, 54)


@lru_cache(maxsize=1024)
def fit(text: str, width: float, most: float) -> float:
    """The height of the largest letters, `most` at the most, at which the text is at most `width` wide.

    All three are shares of the same length, the height of the picture.
    """
    wide = length(text) * 1.04
    return min(most, width / wide) if wide else most


def key(pen: Pen, face: Colour = IVORY) -> None:
    """A raised key with an empty face."""
    pen.rect(0.02, 0.05, 0.99, 1.0, mix(PANEL, DARK, 0.55), radius=0.14)
    pen.rect(0.0, 0.0, 0.97, 0.95, mix(face, DARK, 0.80), radius=0.14)
    pen.rect(0.012, 0.015, 0.958, 0.925, mix(face, DARK, 0.30), radius=0.13)
    pen.rect(0.012, 0.015, 0.958, 0.865, mix(face, WHITE, 0.65), radius=0.13)
    pen.rect(0.020, 0.035, 0.950, 0.865, face, radius=0.12)


def labelled_key(pen: Pen, label: str, aspect: float, most: float = 0.46, face: Colour = IVORY) -> None:
    key(pen, face)
    pen.text(0.485, 0.45, label, fit(label, aspect * 0.84, most), INK, bold=True)


def screen(pen: Pen, text: str, aspect: float, most: float = 0.62, colour: Colour = GLOW) -> None:
    """Dark glass in a frame, with glowing letters if there are any."""
    pen.rect(0.0, 0.0, 1.0, 1.0, mix(PANEL, WHITE, 0.35), radius=0.10)
    pen.rect(0.0, 0.0, 0.996, 0.98, mix(PANEL, DARK, 0.70), radius=0.10)
    rim = 0.07
    pen.rect(rim / aspect, rim, 1 - rim / aspect, 1 - rim, GLASS, radius=0.06)
    shine = [(0.62, rim), (0.74, rim), (0.68, 1 - rim), (0.56, 1 - rim)]
    pen.polygon(shine, mix(GLASS, WHITE, 0.05))
    if text:
        pen.text(0.5, 0.5, text, fit(text, aspect * 0.84, most), colour, bold=True)


def signal(pen: Pen, colour: Colour | None) -> None:
    """A little light, off or in a colour."""
    pen.disc(0.5, 0.5, 0.50, DARK)
    pen.disc(0.5, 0.5, 0.38, OFF if colour is None else colour)
    pen.disc(0.40, 0.38, 0.12, mix(OFF if colour is None else colour, WHITE, 0.45 if colour is None else 0.7))
