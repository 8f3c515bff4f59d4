"""The symbols of the keypad, drawn with a few strokes each on a unit square, by names of the signs they are after.

A stroke is a LINE through its points, a smooth CURVE through them, a RING (middle, radii, from and to degrees,
clockwise from three o'clock), a DOT (middle and radius) or a FILL of a polygon.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin

from mmgames.drawing.canvas import Colour, Pen

Point = tuple[float, float]
LINE, CURVE, RING, DOT, FILL = "line", "curve", "ring", "dot", "fill"
BREADTH = 0.09

_STAR = tuple(
    (0.5 + radius * sin(pi * corner / 5), 0.54 - radius * cos(pi * corner / 5))
    for corner, radius in enumerate((0.45, 0.185) * 5)
)

GLYPHS: dict[str, tuple[tuple[str, tuple], ...]] = {
    "koppa": ((RING, (0.5, 0.32, 0.23, 0.23, 0, 360)), (LINE, ((0.5, 0.55), (0.5, 0.93)))),
    "little_yus": (
        (LINE, ((0.12, 0.90), (0.5, 0.10), (0.88, 0.90))),
        (LINE, ((0.28, 0.57), (0.72, 0.57))),
        (LINE, ((0.5, 0.57), (0.5, 0.90))),
    ),
    "lambda_bar": (
        (LINE, ((0.34, 0.10), (0.84, 0.90))),
        (LINE, ((0.56, 0.45), (0.18, 0.90))),
        (LINE, ((0.22, 0.34), (0.66, 0.16))),
    ),
    "koppa_lightning": ((LINE, ((0.64, 0.08), (0.30, 0.52), (0.68, 0.46), (0.36, 0.93))),),
    "big_yus": (
        (LINE, ((0.5, 0.50), (0.18, 0.12), (0.82, 0.12), (0.5, 0.50))),
        (CURVE, ((0.5, 0.50), (0.24, 0.62), (0.14, 0.90))),
        (CURVE, ((0.5, 0.50), (0.76, 0.62), (0.86, 0.90))),
        (LINE, ((0.5, 0.50), (0.5, 0.90))),
    ),
    "kai": (
        (LINE, ((0.26, 0.12), (0.26, 0.74))),
        (LINE, ((0.76, 0.12), (0.28, 0.48))),
        (CURVE, ((0.44, 0.38), (0.64, 0.58), (0.76, 0.78), (0.66, 0.92), (0.46, 0.92))),
    ),
    "dotted_c_right": ((RING, (0.44, 0.5, 0.37, 0.39, 232, 488)), (DOT, (0.40, 0.5, 0.105))),
    "dotted_c_left": ((RING, (0.56, 0.5, 0.37, 0.39, 52, 308)), (DOT, (0.60, 0.5, 0.105))),
    "e_diaeresis": (
        (RING, (0.44, 0.62, 0.33, 0.30, 215, 505)),
        (LINE, ((0.40, 0.62), (0.75, 0.62))),
        (DOT, (0.34, 0.13, 0.075)),
        (DOT, (0.62, 0.13, 0.075)),
    ),
    "curly_q": (
        (CURVE, ((0.52, 0.56), (0.58, 0.46), (0.46, 0.38), (0.34, 0.50), (0.40, 0.70), (0.62, 0.74), (0.78, 0.56),
                 (0.70, 0.26), (0.42, 0.14), (0.16, 0.32), (0.14, 0.62), (0.30, 0.90), (0.62, 0.93))),
    ),
    "hollow_star": ((LINE, (*_STAR, _STAR[0], _STAR[1])),),
    "inverted_question": (
        (DOT, (0.52, 0.14, 0.085)),
        (CURVE, ((0.52, 0.34), (0.50, 0.46), (0.34, 0.58), (0.26, 0.74), (0.40, 0.90), (0.62, 0.89), (0.76, 0.74))),
    ),
    "copyright": ((RING, (0.5, 0.5, 0.41, 0.41, 0, 360)), (RING, (0.52, 0.5, 0.18, 0.19, 48, 312))),
    "omega_titlo": (
        (CURVE, ((0.20, 0.40), (0.10, 0.68), (0.28, 0.90), (0.46, 0.80), (0.5, 0.56))),
        (CURVE, ((0.80, 0.40), (0.90, 0.68), (0.72, 0.90), (0.54, 0.80), (0.5, 0.56))),
        (CURVE, ((0.28, 0.24), (0.40, 0.12), (0.58, 0.24), (0.72, 0.12))),
    ),
    "zhe_descender": (
        (LINE, ((0.47, 0.12), (0.47, 0.80))),
        (LINE, ((0.12, 0.12), (0.44, 0.46), (0.10, 0.80))),
        (LINE, ((0.82, 0.12), (0.50, 0.46), (0.80, 0.80), (0.92, 0.80), (0.92, 0.96))),
    ),
    "komi_dzje": (
        (CURVE, ((0.16, 0.22), (0.34, 0.11), (0.50, 0.24), (0.42, 0.42), (0.28, 0.46))),
        (CURVE, ((0.28, 0.46), (0.50, 0.54), (0.50, 0.78), (0.30, 0.89), (0.12, 0.78))),
        (CURVE, ((0.52, 0.64), (0.60, 0.86), (0.78, 0.88), (0.88, 0.70), (0.86, 0.50))),
    ),
    "be_curl": (
        (RING, (0.47, 0.65, 0.28, 0.26, 0, 360)),
        (CURVE, ((0.19, 0.65), (0.22, 0.36), (0.42, 0.22), (0.66, 0.20), (0.82, 0.08))),
    ),
    "pilcrow": (
        (RING, (0.42, 0.33, 0.20, 0.21, 90, 270)),
        (FILL, ((0.44, 0.12), (0.28, 0.18), (0.22, 0.33), (0.28, 0.48), (0.44, 0.54), (0.54, 0.54), (0.54, 0.12))),
        (LINE, ((0.42, 0.12), (0.84, 0.12))),
        (LINE, ((0.54, 0.12), (0.54, 0.92))),
        (LINE, ((0.76, 0.12), (0.76, 0.92))),
    ),
    "yat": (
        (LINE, ((0.38, 0.08), (0.38, 0.88), (0.58, 0.88))),
        (LINE, ((0.12, 0.28), (0.66, 0.28))),
        (LINE, ((0.38, 0.52), (0.58, 0.52))),
        (RING, (0.58, 0.70, 0.22, 0.18, 270, 450)),
    ),
    "smiley_teh": (
        (RING, (0.5, 0.42, 0.38, 0.42, 8, 172)),
        (DOT, (0.34, 0.26, 0.085)),
        (DOT, (0.66, 0.26, 0.085)),
    ),
    "psi": (
        (CURVE, ((0.14, 0.14), (0.20, 0.46), (0.34, 0.60), (0.5, 0.63), (0.66, 0.60), (0.80, 0.46), (0.86, 0.14))),
        (LINE, ((0.5, 0.10), (0.5, 0.92))),
    ),
    "ksi_curl": (
        (LINE, ((0.30, 0.06), (0.46, 0.20), (0.62, 0.06))),
        (CURVE, ((0.24, 0.32), (0.46, 0.20), (0.68, 0.32), (0.60, 0.48), (0.42, 0.52))),
        (CURVE, ((0.42, 0.52), (0.72, 0.58), (0.72, 0.76), (0.46, 0.80), (0.28, 0.86), (0.40, 0.95), (0.66, 0.95))),
    ),
    "filled_star": ((FILL, _STAR), (LINE, (*_STAR, _STAR[0], _STAR[1]))),
    "thousands_sign": (
        (LINE, ((0.70, 0.08), (0.30, 0.92))),
        (LINE, ((0.24, 0.30), (0.80, 0.46))),
        (LINE, ((0.18, 0.54), (0.74, 0.70))),
    ),
    "ae_ligature": (
        (RING, (0.28, 0.68, 0.17, 0.16, 0, 360)),
        (CURVE, ((0.12, 0.38), (0.28, 0.28), (0.44, 0.36), (0.48, 0.56))),
        (LINE, ((0.48, 0.54), (0.89, 0.54))),
        (RING, (0.68, 0.56, 0.21, 0.28, 48, 356)),
    ),
    "short_i_tail": (
        (LINE, ((0.20, 0.28), (0.20, 0.86), (0.70, 0.28), (0.70, 0.86), (0.86, 0.86), (0.81, 0.95))),
        (RING, (0.45, 0.04, 0.19, 0.14, 20, 160)),
    ),
    "omega": (
        (RING, (0.5, 0.42, 0.33, 0.33, 122, 418)),
        (LINE, ((0.325, 0.70), (0.325, 0.89), (0.10, 0.89))),
        (LINE, ((0.675, 0.70), (0.675, 0.89), (0.90, 0.89))),
    ),
}  # fmt: skip


def glyph(pen: Pen, name: str, colour: Colour) -> None:
    """Draw a symbol into a square box."""
    for kind, shape in GLYPHS[name]:
        if kind == DOT:
            x, y, radius = shape
            pen.disc(x, y, radius, colour)
        elif kind == FILL:
            pen.polygon(shape, colour)
        else:
            points = _smooth(shape) if kind == CURVE else _round(shape) if kind == RING else shape
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
