"""Eight players who can be told apart in colour, in grey and when they are small: each has a colour and a shape."""

import math
from typing import Any

from mmgames.drawing.canvas import BLACK, BLUE, GREEN, INK, RED, WHITE, Colour, Paint, Pen, mix

COLOURS: tuple[Colour, ...] = (
    RED, BLUE, GREEN, (240, 205, 50), (236, 130, 190), (70, 190, 215), (140, 90, 50), BLACK,
)  # fmt: skip
NEUTRAL: Colour = (150, 150, 152)
DISC, SQUARE = 0, 1


def _star() -> list[tuple[float, float]]:
    turns = [(-0.5 + point / 5) * math.pi for point in range(10)]
    return [
        (math.cos(turn) * (0.5 if point % 2 else 1.1), math.sin(turn) * (0.5 if point % 2 else 1.1))
        for point, turn in enumerate(turns)
    ]


# The shapes as polygons around (0, 0), in the order of the players; the first is a disc.
_SQUARE = [(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)]
_TRIANGLE = [(0, -1.05), (1.08, 0.85), (-1.08, 0.85)]
_DIAMOND = [(0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)]
_CROSS = [(-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4),
          (0.4, 1), (-0.4, 1), (-0.4, 0.4), (-1, 0.4), (-1, -0.4), (-0.4, -0.4)]  # fmt: skip
_TIP = [(x, -y) for x, y in _TRIANGLE]
_HOURGLASS = [(-0.95, -1), (0.95, -1), (0.32, 0), (0.95, 1), (-0.95, 1), (-0.32, 0)]
POLYGONS = (None, _SQUARE, _TRIANGLE, _DIAMOND, _star(), _CROSS, _TIP, _HOURGLASS)
EYES = (0.46, 0.46, 0.58, 0.5, 0.48, 0.5, 0.38, 0.26)
"""How far down each shape has its eyes."""


def shape(pen: Pen, which: int, radius: float, colour: Colour) -> None:
    points = POLYGONS[which]
    if points is None:
        pen.disc(0.5, 0.5, radius, colour)
    else:
        pen.polygon([(0.5 + x * radius, 0.5 + y * radius) for x, y in points], colour)


def token(pen: Pen, which: int, colour: Colour) -> None:
    """A player: its shape, with eyes."""
    shape(pen, which, 0.43, mix(colour, INK, 0.55))
    shape(pen, which, 0.37, colour)
    for x in (0.39, 0.61):
        pen.disc(x, EYES[which], 0.085, WHITE)
        pen.disc(x, EYES[which] + 0.01, 0.045, INK)


def player(seat: int) -> tuple[Paint, Any, Any]:
    """How one of several players is painted."""
    return token, seat, COLOURS[seat]


def grouped(pen: Pen, *parts: tuple[Any, ...]) -> None:
    """Up to four small icons, two in a line, for events that tell of several things."""
    for place, (paint, *details) in enumerate(parts):
        paint(pen.part(place % 2 * 0.5, place // 2 * 0.5, 0.5), *details)
