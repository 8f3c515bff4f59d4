"""Drawings of robots and things, made once for every size; all from simple shapes, drawn here.

A `Layer` lies over any ground: its colours are already weighted, so laying it down costs one product and one sum.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from mmgames.drawing.canvas import INK, OVERSAMPLE, PAPER, WHITE, Colour, Pen, mix
from mmgames.drawing.canvas import _font as font
from mmgames.embodied._scenes.blocks import lay
from mmgames.embodied._scenes.silhouettes import COLOURS, LOOKS
from mmgames.embodied._scenes.silhouettes import ROBOT_COLOURS as ROBOT_COLOURS  # where bodies.py looks for them
from mmgames.embodied._world.names import base


@lru_cache(maxsize=256)
def robot_icon(look: int, size: int, dots: int = 0) -> Layer:
    """The drawing of a robot by the number of its look, with dots that tell which of several alike it is."""
    return _layer(_dotted(_draw(LOOKS[look], size, COLOURS[look]), dots))


@lru_cache(maxsize=1024)
def thing_icon(name: str, size: int, opened: bool = True, active: bool = False, dots: int = 0) -> Layer:
    paint, *details = _THINGS.get(base(name), (_block, (170, 160, 150)))
    if base(name) in ("cabinet", "drawer"):
        picture = _draw(_cupboard if base(name) == "cabinet" else _drawer, size, opened)
    else:
        picture = _draw(paint, size, *details)
        picture = _glowing(picture) if active else picture
    return _layer(_dotted(picture, dots))


@lru_cache(maxsize=256)
def window(signs: tuple[tuple[str, int], ...], size: int) -> Layer:
    """A pane of glass in a closed door, with what is seen behind it; as many names and dots as there are things."""
    columns = min(2, len(signs))
    rows = -(-len(signs) // columns)
    side = size // max(columns, rows)
    picture = _draw(_pane, size)
    for i, (name, dots) in enumerate(signs):
        paint, *details = _THINGS.get(base(name), (_block, (170, 160, 150)))
        small = _dotted(_draw(paint, round(side * 0.82), *details), dots)
        left = (size - side * columns) // 2 + side * (i % columns) + (side - small.shape[1]) // 2
        top = (size - side * rows) // 2 + side * (i // columns) + (side - small.shape[0]) // 2
        part = picture[top : top + small.shape[0], left : left + small.shape[1]]
        cover = small[..., 3:].astype(np.uint16)
        part[..., :3] = (small[..., :3] * cover + part[..., :3] * (255 - cover)) // 255
    return _layer(picture)


@lru_cache(maxsize=64)
def dot_card(dots: int, height: int) -> Layer | None:
    """A small card with dots, which tell which of several alike a robot or thing is; none where there is one of it."""
    if not dots:
        return None
    return _layer(_draw(_dots, max(8, round(height * 1.6)), dots, 0.5, 0.3))


def _pane(pen: Pen) -> None:
    pen.rect(0.01, 0.01, 0.99, 0.99, (226, 240, 246), (96, 62, 30), 0.05, 0.06)
    pen.line([(0.1, 0.3), (0.3, 0.1)], WHITE, 0.05)


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


def blend(frame: np.ndarray, layer: Layer, x: float, y: float, anchor: str = "c") -> tuple[int, int, int, int]:
    """Lay a picture over a frame, its centre (or the middle of its bottom, "s") at (x, y); where it lies."""
    high, wide = layer.colours.shape[:2]
    left, top = round(x - wide / 2), round(y - (high if anchor == "s" else high / 2))
    lay(frame, layer.colours, layer.through, left, top)
    return left, top, left + wide, top + high


def _layer(picture: np.ndarray) -> Layer:
    cover = (picture[..., 3:].astype(np.uint16) * 256 + 127) // 255
    return Layer(picture[..., :3] * cover, 256 - cover)


def _draw(paint, size: int, *details) -> np.ndarray:
    image = Image.new("RGBA", (size * OVERSAMPLE, size * OVERSAMPLE), (0, 0, 0, 0))
    paint(Pen(image), *details)
    return np.array(image.reduce(OVERSAMPLE))


def _glowing(picture: np.ndarray) -> np.ndarray:
    """With a yellow ring: switched on."""
    size = picture.shape[0]
    image = Image.new("RGBA", (size * OVERSAMPLE, size * OVERSAMPLE), (0, 0, 0, 0))
    Pen(image).disc(0.5, 0.5, 0.49, (255, 222, 92), (232, 160, 20), 0.05)
    ring = np.array(image.reduce(OVERSAMPLE))
    blended = ring.copy()
    small = np.array(Image.fromarray(picture).resize((round(size * 0.8),) * 2))
    over = np.zeros_like(ring)
    edge = (size - small.shape[0]) // 2
    over[edge : edge + small.shape[0], edge : edge + small.shape[1]] = small
    alpha = over[..., 3:].astype(np.uint16)
    blended[..., :3] = (over[..., :3] * alpha + ring[..., :3] * (255 - alpha)) // 255
    blended[..., 3] = np.maximum(ring[..., 3], over[..., 3])
    return blended


_LEAF, _WOOD, _STEEL = (86, 150, 62), (158, 112, 66), (176, 182, 190)


def _apple(pen: Pen) -> None:
    colour = (206, 52, 46)
    pen.disc(0.5, 0.56, 0.38, colour, mix(colour, INK, 0.4), 0.03)
    pen.line([(0.5, 0.24), (0.54, 0.1)], _WOOD, 0.06)
    pen.ellipse(0.66, 0.14, 0.12, 0.06, _LEAF)


def _pear(pen: Pen) -> None:
    green, dark = (188, 204, 72), (104, 120, 30)
    pen.disc(0.5, 0.66, 0.32, green, dark, 0.03)
    pen.disc(0.5, 0.36, 0.2, green, dark, 0.03)
    pen.polygon([(0.33, 0.4), (0.67, 0.4), (0.79, 0.62), (0.21, 0.62)], green, green)
    pen.line([(0.5, 0.2), (0.56, 0.04)], _WOOD, 0.06)


def _peach(pen: Pen) -> None:
    pen.disc(0.5, 0.54, 0.39, (246, 176, 122), (196, 96, 62), 0.03)
    pen.disc(0.36, 0.6, 0.2, (238, 136, 104))
    pen.arc(0.76, 0.5, 0.36, 120, 240, (196, 96, 62), 0.045)
    pen.ellipse(0.64, 0.13, 0.17, 0.08, _LEAF)


def _tomato(pen: Pen) -> None:
    pen.ellipse(0.5, 0.58, 0.43, 0.34, (226, 60, 32), (140, 28, 16), 0.03)
    for x, y in ((0.24, 0.36), (0.5, 0.46), (0.76, 0.36), (0.38, 0.2), (0.62, 0.2)):
        pen.line([(0.5, 0.28), (x, y)], _LEAF, 0.07)


def _banana(pen: Pen) -> None:
    pen.arc(0.5, 0.2, 0.5, 20, 160, (232, 200, 48), 0.2)
    pen.disc(0.9, 0.36, 0.06, _WOOD)


def _bread(pen: Pen) -> None:
    pen.rect(0.12, 0.3, 0.88, 0.84, (214, 160, 92), (142, 92, 40), 0.04, 0.2)
    pen.rect(0.22, 0.4, 0.78, 0.76, (244, 214, 160), radius=0.12)


def _meat(pen: Pen) -> None:
    pen.ellipse(0.48, 0.5, 0.4, 0.28, (188, 72, 66), (120, 36, 36), 0.04)
    pen.disc(0.62, 0.46, 0.1, (244, 220, 200))


def _pumpkin(pen: Pen) -> None:
    for x in (0.3, 0.7, 0.5):
        pen.ellipse(x, 0.58, 0.24, 0.32, (232, 128, 32), (160, 78, 12), 0.03)
    pen.line([(0.5, 0.28), (0.56, 0.12)], _LEAF, 0.09)


def _pizza(pen: Pen) -> None:
    pen.polygon([(0.1, 0.2), (0.92, 0.34), (0.3, 0.94)], (244, 200, 92), (170, 110, 40), 0.04)
    for x, y in ((0.36, 0.4), (0.58, 0.46), (0.38, 0.66)):
        pen.disc(x, y, 0.07, (190, 48, 40))


def _peas(pen: Pen) -> None:
    for x, y in ((0.3, 0.5), (0.5, 0.6), (0.7, 0.5), (0.42, 0.36), (0.6, 0.34)):
        pen.disc(x, y, 0.13, (110, 180, 70), (60, 120, 40), 0.025)


def _tool(pen: Pen, kind: str) -> None:
    if kind == "scissors":
        for colour, width in ((INK, 0.14), (_STEEL, 0.09)):
            pen.line([(0.2, 0.15), (0.66, 0.72)], colour, width)
            pen.line([(0.8, 0.15), (0.34, 0.72)], colour, width)
        pen.disc(0.28, 0.8, 0.13, None, (190, 48, 58), 0.07)
        pen.disc(0.72, 0.8, 0.13, None, (190, 48, 58), 0.07)
        return
    pen.line([(0.5, 0.5), (0.5, 0.95)], (70, 60, 60), 0.12)
    if kind == "knife":
        pen.polygon([(0.43, 0.54), (0.43, 0.06), (0.64, 0.3), (0.6, 0.54)], _STEEL, INK, 0.025)
    elif kind == "spoon":
        pen.ellipse(0.5, 0.26, 0.17, 0.23, _STEEL, INK, 0.025)
    else:
        for x in (0.36, 0.5, 0.64):
            pen.line([(x, 0.08), (x, 0.36)], (130, 136, 146), 0.07)
        pen.rect(0.33, 0.33, 0.67, 0.5, (130, 136, 146), radius=0.06)


def _dish(pen: Pen, kind: str) -> None:
    if kind == "plate":
        pen.ellipse(0.5, 0.55, 0.47, 0.34, WHITE, (120, 124, 134), 0.04)
        pen.ellipse(0.5, 0.55, 0.29, 0.2, (232, 236, 242))
    elif kind == "bowl":
        pen.pie(0.5, 0.42, 0.45, 0, 180, (70, 130, 190))
        pen.ellipse(0.5, 0.42, 0.45, 0.13, (204, 224, 240), (40, 84, 130), 0.03)
    else:
        for x in (0.1, 0.9):
            pen.disc(x, 0.55, 0.1, None, (90, 60, 34), 0.05)
        pen.rect(0.1, 0.28, 0.9, 0.82, (150, 110, 74), (90, 60, 34), 0.04, 0.1)
        pen.rect(0.2, 0.38, 0.8, 0.72, (188, 150, 110), (120, 84, 52), 0.03, 0.06)


def _vessel(pen: Pen, kind: str) -> None:
    if kind == "cup":
        pen.arc(0.72, 0.55, 0.18, 0, 360, (40, 110, 150), 0.07)
        pen.rect(0.2, 0.3, 0.7, 0.86, (80, 160, 200), (30, 84, 120), 0.03, 0.1)
    elif kind == "kettle":
        pen.arc(0.5, 0.36, 0.28, 180, 360, INK, 0.07)
        pen.ellipse(0.5, 0.62, 0.36, 0.3, (150, 158, 170), INK, 0.03)
        pen.line([(0.8, 0.56), (0.97, 0.38)], (120, 126, 138), 0.1)
    elif kind == "wine":
        colour = (110, 30, 50)
        pen.rect(0.34, 0.38, 0.66, 0.95, colour, mix(colour, INK, 0.5), 0.03, 0.08)
        pen.rect(0.43, 0.06, 0.57, 0.42, colour, radius=0.04)
        pen.rect(0.36, 0.56, 0.64, 0.76, PAPER)
    else:
        colour = (70, 168, 214)
        pen.rect(0.28, 0.26, 0.72, 0.96, mix(colour, WHITE, 0.35), mix(colour, INK, 0.5), 0.03, 0.12)
        pen.rect(0.28, 0.48, 0.72, 0.72, colour)
        pen.rect(0.38, 0.06, 0.62, 0.22, (36, 96, 176), radius=0.03)
        pen.rect(0.42, 0.2, 0.58, 0.3, mix(colour, INK, 0.3))


def _box(pen: Pen) -> None:
    pen.rect(0.08, 0.34, 0.92, 0.92, (196, 152, 98), (120, 84, 44), 0.035)
    pen.polygon([(0.08, 0.34), (0.2, 0.12), (0.8, 0.12), (0.92, 0.34)], (150, 110, 64), (120, 84, 44), 0.03)
    pen.rect(0.44, 0.34, 0.56, 0.92, (224, 190, 140))


def _fan(pen: Pen) -> None:
    pen.line([(0.5, 0.5), (0.5, 0.9)], INK, 0.07)
    pen.rect(0.3, 0.86, 0.7, 0.95, INK, radius=0.04)
    pen.disc(0.5, 0.4, 0.36, (224, 236, 244), INK, 0.04)
    for start in (0, 120, 240):
        pen.pie(0.5, 0.4, 0.3, start, start + 55, (90, 140, 190))


def _board(pen: Pen) -> None:
    pen.rect(0.02, 0.26, 0.98, 0.86, (206, 164, 108), (130, 90, 48), 0.04, 0.1)
    pen.disc(0.88, 0.56, 0.05, (130, 90, 48))
    for y in (0.42, 0.56, 0.7):
        pen.line([(0.1, y), (0.76, y)], (186, 142, 88), 0.025)


def _appliance(pen: Pen, kind: str) -> None:
    if kind == "fridge":
        pen.rect(0.14, 0.03, 0.86, 0.97, (228, 234, 240), (110, 118, 130), 0.035, 0.06)
        pen.line([(0.14, 0.36), (0.86, 0.36)], (110, 118, 130), 0.035)
        pen.line([(0.74, 0.12), (0.74, 0.28)], (70, 76, 86), 0.05)
        pen.line([(0.74, 0.44), (0.74, 0.7)], (70, 76, 86), 0.05)
    elif kind == "oven":
        pen.rect(0.06, 0.08, 0.94, 0.94, (96, 100, 110), INK, 0.035, 0.05)
        pen.rect(0.16, 0.36, 0.84, 0.84, (46, 40, 40), (230, 140, 60), 0.035, 0.04)
        for x in (0.25, 0.42, 0.59, 0.76):
            pen.disc(x, 0.21, 0.055, WHITE)
    elif kind == "toaster":
        pen.rect(0.08, 0.36, 0.92, 0.92, (206, 72, 60), (120, 30, 30), 0.035, 0.14)
        pen.rect(0.22, 0.26, 0.44, 0.42, (50, 40, 40), radius=0.03)
        pen.rect(0.56, 0.26, 0.78, 0.42, (50, 40, 40), radius=0.03)
        pen.disc(0.8, 0.68, 0.06, WHITE)
    else:
        pen.rect(0.04, 0.24, 0.96, 0.94, (176, 186, 196), (96, 104, 116), 0.035, 0.1)
        pen.rect(0.14, 0.36, 0.86, 0.86, (120, 170, 210), (96, 104, 116), 0.03, 0.12)
        pen.line([(0.5, 0.3), (0.5, 0.08), (0.66, 0.08), (0.66, 0.2)], (96, 104, 116), 0.08)


def _cupboard(pen: Pen, opened: bool) -> None:
    wood, dark = (172, 124, 76), (96, 62, 30)
    if opened:
        pen.rect(0.22, 0.08, 0.78, 0.96, (58, 42, 30), dark, 0.03)
        pen.line([(0.22, 0.52), (0.78, 0.52)], wood, 0.04)
        pen.polygon([(0.22, 0.08), (0.02, 0.16), (0.02, 0.9), (0.22, 0.96)], wood, dark, 0.03)
        pen.polygon([(0.78, 0.08), (0.98, 0.16), (0.98, 0.9), (0.78, 0.96)], wood, dark, 0.03)
        return
    pen.rect(0.08, 0.06, 0.92, 0.96, wood, dark, 0.04, 0.03)
    pen.line([(0.5, 0.06), (0.5, 0.96)], dark, 0.035)
    pen.disc(0.42, 0.52, 0.045, (240, 220, 150))
    pen.disc(0.58, 0.52, 0.045, (240, 220, 150))


def _drawer(pen: Pen, opened: bool) -> None:
    wood, dark = (150, 106, 64), (90, 58, 28)
    pen.rect(0.06, 0.1, 0.94, 0.94, wood, dark, 0.04, 0.03)
    for y in (0.18, 0.56):
        pen.rect(0.14, y, 0.86, y + 0.3, (186, 140, 92), dark, 0.03)
        pen.disc(0.5, y + 0.15, 0.045, (240, 220, 150))
    if opened:  # the lower drawer is pulled out, and its inside is seen
        pen.rect(0.08, 0.5, 0.92, 0.76, (50, 38, 28), dark, 0.03)
        pen.rect(0.03, 0.72, 0.97, 0.99, (204, 158, 108), dark, 0.035)
        pen.disc(0.5, 0.855, 0.05, (240, 220, 150))


def _block(pen: Pen, colour: Colour) -> None:
    pen.rect(0.1, 0.2, 0.9, 0.9, colour, mix(colour, INK, 0.4), 0.03, 0.06)


_THINGS: dict[str, tuple] = {
    "apple": (_apple,),
    "pear": (_pear,),
    "peach": (_peach,),
    "tomato": (_tomato,),
    "banana": (_banana,),
    "bread": (_bread,),
    "meat": (_meat,),
    "pumpkin": (_pumpkin,),
    "pizza": (_pizza,),
    "green peas": (_peas,),
    **{name: (_tool, name) for name in ("knife", "fork", "spoon", "scissors")},
    **{name: (_dish, name) for name in ("plate", "bowl", "tray")},
    **{name: (_vessel, name) for name in ("cup", "bottle", "wine", "kettle")},
    "cardboardbox": (_box,),
    "cooling fan": (_fan,),
    "wooden cutting board": (_board,),
    **{name: (_appliance, name) for name in ("fridge", "oven", "toaster", "sink")},
}
