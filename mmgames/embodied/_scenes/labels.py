"""Where words go in a picture: as near to what they are about as it takes to cover little else."""

from __future__ import annotations

from collections.abc import Iterable

from mmgames.embodied._scenes.icons import Layer

Rect = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


def covered(here: Rect, others: Iterable[Rect]) -> float:
    """How much of other rectangles a rectangle covers, in pixels."""
    left, top, right, bottom = here
    area = 0.0
    for x0, y0, x1, y1 in others:
        if x0 < right and left < x1 and y0 < bottom and top < y1:
            area += (min(right, x1) - max(left, x0)) * (min(bottom, y1) - max(top, y0))
    return area


def around(word: Layer, middle: tuple[float, float]) -> Rect:
    tall, wide = word.shape[:2]
    x, y = middle
    return x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2


def best_spot(
    word: Layer,
    options: Iterable[tuple[float, float]],
    taken: list[Rect],
    bodies: list[Rect],
    width: float,
    height: float,
) -> tuple[float, float]:
    """The middle for a word: of the options, moved into the picture, the one that covers least; the first if several.

    Covering another word (`taken`) is three times as bad as covering a drawing (`bodies`).
    """
    tall, wide = word.shape[:2]
    best, least = (0.0, 0.0), float("inf")
    for x, y in options:
        middle = min(max(x, wide / 2 + 1), width - wide / 2 - 1), min(max(y, tall / 2), height - tall / 2)
        here = around(word, middle)
        covers = 3.0 * covered(here, taken) + covered(here, bodies)
        if covers < least:
            best, least = middle, covers
            if covers == 0.0:
                break
    return best
