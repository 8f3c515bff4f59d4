"""KeypadPuzzle as a picture and as features."""

from collections.abc import Sequence
from functools import partial
from math import cos, radians, sin
from typing import Any

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, LINE, PAPER, WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation import controls
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.controls import IVORY
from mmgames.puzzles._conversation.picture import DARK, PANEL, Layout
from mmgames.puzzles.keypad_puzzle.manual import DRAWN, PLACES, SYMBOLS, Manual
from mmgames.puzzles.keypad_puzzle.rules import NAMES, Pad

_PRESSED = mix(IVORY, DARK, 0.22)
NUM_FEATURES = len(PLACES) * (len(SYMBOLS) + 1) + 4


def _key(at: Layout) -> int:
    return round(at.height * 0.335)


def _place(at: Layout, number: int) -> tuple[int, int]:
    """The upper left corner of a key."""
    row, column = divmod(number, 2)
    side, gap = _key(at), round(at.width * 0.03)
    x = (at.left + at.right) // 2 - side - gap // 2 + column * (side + gap)
    return x, (at.top + at.bottom) // 2 - side - gap // 2 + row * (side + gap)


def _symbol_key(pen: Pen, symbol: str, down: bool) -> None:
    if down:
        pen.rect(0.0, 0.0, 0.99, 0.99, mix(PANEL, DARK, 0.75), radius=0.14)
        pen.rect(0.025, 0.045, 0.965, 0.965, _PRESSED, radius=0.12)
        glyph(pen.part(0.14, 0.155, 0.72), symbol, INK)
        return
    controls.key(pen)
    glyph(pen.part(0.13, 0.095, 0.71), symbol, INK)


def _page(manual: Manual, size: int) -> np.ndarray:
    """The columns; in a small picture without a page around them, for they are nowhere else."""
    plain = size < kit.READABLE
    return canvas.painting(_columns, size, size, PAPER if plain else mix(PAPER, INK, 0.12), manual, plain)


def _columns(pen: Pen, manual: Manual, plain: bool) -> None:
    left, top, right, bottom = (0.0, 0.0, 1.0, 1.0) if plain else (0.11, 0.165, 0.955, 0.955)
    if not plain:
        kit.sheet(pen, "Keypad")
    wide, high = (right - left) / len(manual), (bottom - top) / len(manual[0])
    side = min(wide, high) * (0.96 if plain else 0.82)
    for across, column in enumerate(manual):
        x = left + across * wide
        if not plain:
            pen.text(x + wide / 2, 0.142, str(across + 1), 0.034, FAINT)
        pen.rect(x + wide * 0.03, top, x + wide * 0.97, bottom, WHITE if plain else PAPER, LINE, 0.004, radius=0.01)
        for down, symbol in enumerate(column):
            middle = top + (down + 0.5) * high
            glyph(pen.part(x + (wide - side) / 2, middle - side / 2, side), symbol, INK)


@kit.device_picture(_page, partial(kit.typed_housing, name="KEYS"), 0.94)
def draw(frame: np.ndarray, at: Layout, pad: Pad) -> None:
    side, dot = _key(at), round(at.width * 0.045)
    for number, symbol in enumerate(pad.symbols):
        x, y = _place(at, number)
        down = number in pad.down
        canvas.paste(frame, canvas.stamp(_symbol_key, side, side, PANEL, symbol, down), x, y)
        light = canvas.stamp(controls.signal, dot, dot, PANEL, controls.RIGHT if down else None)
        beside = x - dot * 7 // 4 if number % 2 == 0 else x + side + dot * 3 // 4
        canvas.paste(frame, light, beside, y + (side - dot) // 2)


@kit.clicked_regions(0.94)
def regions(at: Layout, pad: Pad) -> dict[str, Box]:
    """A click on a key presses it."""
    side, corners = _key(at), (_place(at, number) for number in range(len(PLACES)))
    return {name: (x, y, x + side, y + side) for name, (x, y) in zip(NAMES, corners, strict=True)}


@kit.device_features(NUM_FEATURES)
def features(pad: Pad, out: np.ndarray) -> None:
    """The symbol of each key one-hot, then for each key when it went down (0 up, 0.25 first … 1 last), and progress."""
    for number, symbol in enumerate(pad.symbols):
        out[number * len(SYMBOLS) + SYMBOLS.index(symbol)] = 1
    for order, key in enumerate(pad.down, 1):
        out[len(PLACES) * len(SYMBOLS) + key] = order / len(PLACES)


Point = tuple[float, float]
BREADTH = 0.09
GLYPHS: dict[str, list[tuple[str, Any]]] = {symbol: drawn["strokes"] for symbol, drawn in DRAWN.items()}
"""The symbols in a few strokes each on a unit square, by names of the signs they are after (symbols.json).

A stroke is a line through its points, a smooth curve through them, a ring (middle, radii, from and to degrees,
clockwise from three o'clock), a dot (middle and radius) or a fill of a polygon."""


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
