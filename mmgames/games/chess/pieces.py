"""The chessmen, drawn for this package: six silhouettes that stay apart from each other down to a dozen pixels.

A silhouette is a list of parts in unit coordinates (pieces.json). It is drawn twice, a little larger in the colour of
the outline and then in the colour of the piece, and gets a few lines of detail.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from mmgames.drawing.canvas import Colour, Pen, mix

IVORY: Colour = (255, 253, 244)
EBONY: Colour = (46, 45, 50)
OUTLINE: Colour = (22, 21, 25)
PALE: Colour = mix(EBONY, IVORY, 0.86)


class Shape(NamedTuple):
    """The polygons and discs of a silhouette, then lines and dots drawn on it."""

    polygons: list[Any]
    discs: list[Any]
    lines: list[Any]
    dots: list[Any]


def _shape(parts: Mapping[str, Any]) -> Shape:
    """A shape as the file has it: `halves` are the left halves, top to bottom, of what is the same on both sides."""
    halves = [[*half, *([1 - x, y] for x, y in reversed(half))] for half in parts.get("halves", ())]
    rest = (parts.get(name, []) for name in ("discs", "lines", "dots"))
    return Shape([*halves, *parts.get("whole", ())], *rest)


_FILE = json.loads(files(__package__).joinpath("pieces.json").read_text("utf-8"))
SHAPES = [_shape(parts) for parts in _FILE["fine"].values()]
"""From the pawn to the king."""
SMALL_SHAPES = [_shape(parts) for parts in {**_FILE["fine"], **_FILE["coarse"]}.values()]
"""Where there is little room some are plainer and coarser."""


def piece(pen: Pen, code: int, fine: bool) -> None:
    """A chessman, white for codes from 1, black for codes below 0; `fine` draws the details that need room."""
    polygons, discs, lines, dots = (SHAPES if fine else SMALL_SHAPES)[abs(code) - 1]
    body, detail = (IVORY, OUTLINE) if code > 0 else (EBONY, PALE)
    edge = 0.026 if fine else 0.045 if code > 0 else 0.01
    for points in polygons:
        pen.polygon(points, OUTLINE)
        pen.line((*points, points[0], points[1]), OUTLINE, 2 * edge)
    for x, y, r in discs:
        pen.disc(x, y, r + edge, OUTLINE)
    for points in polygons:
        pen.polygon(points, body)
    for x, y, r in discs:
        pen.disc(x, y, r, body)
    if fine:
        for points in lines:
            pen.line(points, detail, 0.028)
        for x, y, r in dots:
            pen.disc(x, y, r, detail)
