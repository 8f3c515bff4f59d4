"""The symbols of the keypad, drawn with a few strokes each on a unit square, by names of the signs they are after
(symbols.json).

A stroke is a line through its points, a smooth curve through them, a ring (middle, radii, from and to degrees,
clockwise from three o'clock), a dot (middle and radius) or a fill of a polygon.
"""

from collections.abc import Sequence
from math import cos, radians, sin
from typing import Any

from mmgames.drawing.canvas import Colour, Pen
from mmgames.puzzles.keypad_puzzle.manual import DRAWN

Point = tuple[float, float]
BREADTH = 0.09
GLYPHS: dict[str, list[tuple[str, Any]]] = {symbol: drawn["strokes"] for symbol, drawn in DRAWN.items()}


def glyph(pen: Pen, name: str, colour: Colour) -> None:
    """Draw a symbol into a square box."""
    for kind, shape in GLYPHS[name]:
        if kind == "dot":
            x, y, radius = shape
            pen.disc(x, y, radius, colour)
        elif kind == "fill":
            pen.polygon(shape, colour)
        else:
            points = _smooth(shape) if kind == "curve" else _round(shape) if kind == "ring" else shape
            pen.line(points, colour, BREADTH)
            for number, (x, y) in enumerate(points):
                end = number in (0, len(points) - 1)
                pen.disc(x, y, BREADTH / 2 if end else BREADTH * 0.46, colour)  # round ends, and no cracks in a bend


def _round(shape: Sequence[float]) -> list[Point]:
    x, y, wide, high, start, end = shape
    turns = [radians(start + (end - start) * step / 48) for step in range(49)]
    return [(x + wide * cos(turn), y + high * sin(turn)) for turn in turns]


def _smooth(points: Sequence[Point]) -> list[Point]:
    """A Catmull-Rom curve through the points."""
    padded = [points[0], *points, points[-1]]
    found = [points[0]]
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(1, 13):
            t = step / 12
            found.append(tuple(_between(before[i], start[i], end[i], after[i], t) for i in (0, 1)))  # type: ignore[arg-type]
    return found


def _between(before: float, start: float, end: float, after: float, t: float) -> float:
    linear, square = end - before, 2 * before - 5 * start + 4 * end - after
    return start + (linear * t + square * t**2 + (3 * start - before - 3 * end + after) * t**3) / 2
