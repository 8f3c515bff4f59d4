"""Drawings of robots and things, made once for every size; all from simple shapes, which icons.json has.

A `Layer` lies over any ground: its colours are already weighted, so laying it down costs one product and one sum.
`best_spot` says where words go: as near to what they are about as it takes to cover little else. Blocks with round
corners and soft shadows, and layers laid over what is there, are drawn by compiled kernels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from mmgames.drawing.canvas import INK, OVERSAMPLE, PAPER, WHITE, Colour, Pen
from mmgames.drawing.canvas import _font as font
from mmgames.embodied._scenes.solids import read
from mmgames.embodied._world.names import TYPES, base
from mmgames.kernels.kernel import kernel

ROBOT_COLOURS: dict[str, Colour] = read("colours")["robots"]
COLOURS = tuple(ROBOT_COLOURS[type] for type in TYPES)
"""The colours of robots by the numbers of their looks: the places of their types in TYPES."""

Rect = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


@lru_cache(maxsize=256)
def robot_icon(look: int, size: int, dots: int = 0) -> Layer:
    """The drawing of a robot by the number of its look, with dots that tell which of several alike it is."""
    return _layer(_dotted(_drawing(list(TYPES)[look], size), dots))


@lru_cache(maxsize=1024)
def thing_icon(name: str, size: int, opened: bool = True, active: bool = False, dots: int = 0) -> Layer:
    opens = base(name) in ("cabinet", "drawer")
    picture = _drawing(f"{base(name)} open" if opens and opened else base(name), size)
    picture = _glowing(picture) if active and not opens else picture
    return _layer(_dotted(picture, dots))


@lru_cache(maxsize=256)
def window(signs: tuple[tuple[str, int], ...], size: int) -> Layer:
    """A pane of glass in a closed door, with what is seen behind it; as many names and dots as there are things."""
    columns = min(2, len(signs))
    rows = -(-len(signs) // columns)
    side = size // max(columns, rows)
    picture = _drawing("window", size)
    for i, (name, dots) in enumerate(signs):
        small = _dotted(_drawing(base(name), round(side * 0.82)), dots)
        left = (size - side * columns) // 2 + side * (i % columns) + (side - small.shape[1]) // 2
        top = (size - side * rows) // 2 + side * (i // columns) + (side - small.shape[0]) // 2
        _lay_over(picture[top : top + small.shape[0], left : left + small.shape[1]], small)
    return _layer(picture)


def _lay_over(ground: np.ndarray, small: np.ndarray) -> None:
    """Put a drawing on a part of another one; how much that covers stays as it is."""
    cover = small[..., 3:].astype(np.uint16)
    ground[..., :3] = (small[..., :3] * cover + ground[..., :3] * (255 - cover)) // 255


@lru_cache(maxsize=64)
def dot_card(dots: int, height: int) -> Layer | None:
    """A small card with dots, which tell which of several alike a robot or thing is; none where there is one of it."""
    if not dots:
        return None
    return _layer(_draw(_dots, max(8, round(height * 1.6)), dots, 0.5, 0.3))


def _dotted(picture: np.ndarray, dots: int) -> np.ndarray:
    """With so many dots on a strip at its foot."""
    if not dots:
        return picture
    size = picture.shape[0]
    image = Image.fromarray(picture).resize((size * OVERSAMPLE,) * 2)
    _dots(Pen(image), dots)
    return np.array(image.reduce(OVERSAMPLE))


def _dots(pen: Pen, dots: int, middle: float = 0.88, most: float = 0.085) -> None:
    radius = min(most, 0.36 / dots)
    half = radius * (1.3 * dots + 0.5)
    pen.rect(0.5 - half, middle - radius * 1.5, 0.5 + half, middle + radius * 1.5, WHITE, INK, 0.025, 0.06)
    for i in range(dots):
        pen.disc(0.5 + (i - (dots - 1) / 2) * 2.6 * radius, middle, radius, INK)


@lru_cache(maxsize=2048)
def tag(text: str, height: int, ink: Colour = INK, paper: Colour = PAPER, bold: bool = False) -> Layer:
    """A word on a small card."""
    letters = font(height)
    wide = round(letters.getlength(text)) + max(4, height // 2)
    tall = round(height * 1.3)
    image = Image.new("RGBA", (wide * 2, tall * 2), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, wide * 2 - 1, tall * 2 - 1), tall * 0.6, (*paper, 225))
    pen.text((wide, tall), text, ink, font(height * 2), "mm", stroke_width=height / 15 if bold else 0)
    return _layer(np.array(image.reduce(2)))


class Layer(NamedTuple):
    """A picture with see-through parts: colours times 256ths of cover, and 256ths of what shines through."""

    colours: np.ndarray
    through: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        return self.colours.shape


def blend(frame: np.ndarray, layer: Layer, x: float, y: float) -> tuple[int, int, int, int]:
    """Lay a picture over a frame, its centre at (x, y); where it lies."""
    high, wide = layer.colours.shape[:2]
    left, top = round(x - wide / 2), round(y - high / 2)
    lay(frame, layer.colours, layer.through, left, top)
    return left, top, left + wide, top + high


def _layer(picture: np.ndarray) -> Layer:
    cover = (picture[..., 3:].astype(np.uint16) * 256 + 127) // 255
    return Layer(picture[..., :3] * cover, 256 - cover)


def _drawing(what: str, size: int) -> np.ndarray:
    """One of icons.json: what a pen does, row by row."""
    known = read("icons")

    def paint(pen: Pen) -> None:
        for stroke, *details in known.get(what, known["thing"]):
            getattr(pen, stroke)(*details)

    return _draw(paint, size)


def _draw(paint, size: int, *details) -> np.ndarray:
    image = Image.new("RGBA", (size * OVERSAMPLE, size * OVERSAMPLE), (0, 0, 0, 0))
    paint(Pen(image), *details)
    return np.array(image.reduce(OVERSAMPLE))


def _glowing(picture: np.ndarray) -> np.ndarray:
    """With a yellow ring: switched on."""
    size = picture.shape[0]
    ring = _draw(lambda pen: pen.disc(0.5, 0.5, 0.49, (255, 222, 92), (232, 160, 20), 0.05), size)
    small = np.array(Image.fromarray(picture).resize((round(size * 0.8),) * 2))
    edge = (size - small.shape[0]) // 2
    part = ring[edge : edge + small.shape[0], edge : edge + small.shape[1]]
    _lay_over(part, small)
    part[..., 3] = np.maximum(part[..., 3], small[..., 3])
    return ring


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


@kernel
def _block(frame, x0, y0, x1, y1, radius, line, fill, edge, blur, strength):
    """A block whose cover falls from `strength` to nothing, from `blur` within its outline to `blur` outside of it."""
    for y in range(max(0, int(y0 - blur)), min(frame.shape[0], int(y1 + blur + 1))):
        along = abs(y + 0.5 - (y0 + y1) / 2) - (y1 - y0) / 2 + radius
        for x in range(max(0, int(x0 - blur)), min(frame.shape[1], int(x1 + blur + 1))):
            across = abs(x + 0.5 - (x0 + x1) / 2) - (x1 - x0) / 2 + radius
            # How far the middle of the pixel is outside of the block; negative inside.
            far = math.sqrt(across * across + along * along) if across > 0 and along > 0 else max(across, along)
            far -= radius
            if far >= blur:
                continue
            if far <= -line - 0.5:
                frame[y, x, 0], frame[y, x, 1], frame[y, x, 2] = fill[0], fill[1], fill[2]
                continue
            inner = min(1.0, max(0.0, 0.5 - far - line))
            cover = strength * min(1.0, (blur - far) / (2.0 * blur))
            for i in range(3):
                painted = edge[i] * (cover - inner) + fill[i] * inner
                frame[y, x, i] = int(frame[y, x, i] * (1.0 - cover) + painted + 0.5)


@kernel
def lay(frame, colours, through, left, top):
    """Put a layer (see icons.Layer) over a frame; what would fall outside is cut off."""
    for y in range(max(0, -top), min(colours.shape[0], frame.shape[0] - top)):
        for x in range(max(0, -left), min(colours.shape[1], frame.shape[1] - left)):
            shine = through[y, x, 0]
            if shine < 256:
                for i in range(3):
                    frame[top + y, left + x, i] = (colours[y, x, i] + frame[top + y, left + x, i] * shine) >> 8


def block(
    frame, x0: float, y0: float, x1: float, y1: float, radius: float, line: float, fill: Colour, edge: Colour,
    blur: float = 0.5, strength: float = 1.0,
) -> None:  # fmt: skip
    """A filled block with an edge `line` wide, in pixels; corners lie anywhere between pixels. One that is all edge,
    black and blurred, is a soft shadow."""
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    corners = float(x0), float(y0), float(x1), float(y1)
    _block(frame, *corners, float(radius), float(line), fill, edge, float(blur), float(strength))
