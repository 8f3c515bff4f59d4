"""The chessmen, drawn for this package: six silhouettes that stay apart from each other down to a dozen pixels.

A silhouette is a list of parts in unit coordinates. It is drawn twice, a little larger in the colour of the outline and
then in the colour of the piece, and gets a few lines of detail.
"""

from __future__ import annotations

from mmgames.drawing.canvas import Colour, Pen, mix

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Disc = tuple[float, float, float]
Line = tuple[Point, ...]

IVORY: Colour = (255, 253, 244)
EBONY: Colour = (46, 45, 50)
OUTLINE: Colour = (22, 21, 25)
PALE: Colour = mix(EBONY, IVORY, 0.86)


def _mirrored(*half: Point) -> Polygon:
    """A shape that is the same on both sides, from its left half, top to bottom."""
    return (*half, *((1 - x, y) for x, y in reversed(half)))


_FOOT = _mirrored((0.23, 0.8), (0.2, 0.9))

# For each code from 1 to 6: the polygons and discs of its silhouette, then lines and dots drawn on it.
SHAPES: dict[int, tuple[tuple[Polygon, ...], tuple[Disc, ...], tuple[Line, ...], tuple[Disc, ...]]] = {
    1: (
        (
            _mirrored((0.29, 0.81), (0.26, 0.9)),
            _mirrored((0.43, 0.5), (0.33, 0.82)),
            _mirrored((0.35, 0.48), (0.35, 0.54)),
        ),
        ((0.5, 0.36, 0.145),),
        (((0.33, 0.8), (0.67, 0.8)),),
        (),
    ),
    2: (
        (
            _FOOT,
            (
                *((0.3, 0.8), (0.33, 0.7), (0.46, 0.58), (0.47, 0.5), (0.4, 0.53), (0.33, 0.59), (0.25, 0.63)),
                *((0.18, 0.6), (0.16, 0.53), (0.2, 0.46), (0.29, 0.3), (0.35, 0.23), (0.36, 0.12), (0.46, 0.19)),
                *((0.58, 0.22), (0.68, 0.3), (0.75, 0.43), (0.77, 0.58), (0.75, 0.8)),
            ),
        ),
        (),
        (((0.28, 0.8), (0.76, 0.8)), ((0.54, 0.27), (0.63, 0.36), (0.68, 0.5), (0.68, 0.66))),
        ((0.37, 0.34, 0.032),),
    ),
    3: (
        (
            _FOOT,
            _mirrored((0.42, 0.6), (0.31, 0.81)),
            _mirrored((0.35, 0.57), (0.35, 0.64)),
            _mirrored((0.5, 0.16), (0.42, 0.24), (0.34, 0.35), (0.31, 0.46), (0.38, 0.58)),
        ),
        ((0.5, 0.13, 0.055),),
        (
            ((0.28, 0.8), (0.72, 0.8)),
            ((0.38, 0.58), (0.62, 0.58)),
            ((0.5, 0.29), (0.5, 0.47)),
            ((0.42, 0.38), (0.58, 0.38)),
        ),
        (),
    ),
    4: (
        (
            _FOOT,
            _mirrored((0.34, 0.36), (0.31, 0.81)),
            (
                *((0.24, 0.38), (0.24, 0.16), (0.36, 0.16), (0.36, 0.24), (0.44, 0.24), (0.44, 0.16)),
                *((0.56, 0.16), (0.56, 0.24), (0.64, 0.24), (0.64, 0.16), (0.76, 0.16), (0.76, 0.38)),
            ),
        ),
        (),
        (((0.28, 0.8), (0.72, 0.8)), ((0.3, 0.38), (0.7, 0.38)), ((0.33, 0.7), (0.67, 0.7))),
        (),
    ),
    5: (
        (
            _FOOT,
            (
                *((0.27, 0.82), (0.14, 0.34), (0.32, 0.54), (0.32, 0.22), (0.45, 0.5), (0.5, 0.18)),
                *((0.55, 0.5), (0.68, 0.22), (0.68, 0.54), (0.86, 0.34), (0.73, 0.82)),
            ),
        ),
        ((0.13, 0.31, 0.052), (0.31, 0.19, 0.052), (0.5, 0.15, 0.052), (0.69, 0.19, 0.052), (0.87, 0.31, 0.052)),
        (((0.27, 0.8), (0.73, 0.8)), ((0.28, 0.7), (0.72, 0.7))),
        (),
    ),
    6: (
        (
            _FOOT,
            _mirrored((0.46, 0.07), (0.46, 0.13), (0.38, 0.13), (0.38, 0.2), (0.46, 0.2), (0.46, 0.34)),
            _mirrored(
                *((0.5, 0.38), (0.42, 0.32), (0.3, 0.32), (0.19, 0.39)),
                *((0.17, 0.5), (0.22, 0.62), (0.28, 0.7), (0.29, 0.82)),
            ),
        ),
        (),
        (((0.29, 0.8), (0.71, 0.8)), ((0.29, 0.71), (0.71, 0.71)), ((0.5, 0.4), (0.5, 0.62))),
        (),
    ),
}


# Where there is little room these are plainer and coarser.
SMALL_SHAPES = {
    **SHAPES,
    3: (
        (
            _mirrored((0.24, 0.8), (0.21, 0.91)),
            _mirrored((0.5, 0.08), (0.4, 0.2), (0.3, 0.36), (0.3, 0.5), (0.41, 0.6), (0.34, 0.82)),
        ),
        (),
        (),
        (),
    ),
    5: (
        (
            _mirrored((0.2, 0.8), (0.2, 0.91)),
            ((0.24, 0.84), (0.1, 0.26), (0.35, 0.52), (0.5, 0.16), (0.65, 0.52), (0.9, 0.26), (0.76, 0.84)),
        ),
        ((0.1, 0.24, 0.07), (0.5, 0.14, 0.07), (0.9, 0.24, 0.07)),
        (),
        (),
    ),
    6: (
        (
            _mirrored((0.2, 0.8), (0.2, 0.91)),
            _mirrored((0.44, 0.03), (0.44, 0.11), (0.33, 0.11), (0.33, 0.22), (0.44, 0.22), (0.44, 0.42)),
            _mirrored((0.5, 0.44), (0.26, 0.38), (0.14, 0.48), (0.26, 0.84)),
        ),
        (),
        (),
        (),
    ),
}


def piece(pen: Pen, code: int, fine: bool) -> None:
    """A chessman, white for codes from 1, black for codes below 0; `fine` draws the details that need room."""
    polygons, discs, lines, dots = (SHAPES if fine else SMALL_SHAPES)[abs(code)]
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
