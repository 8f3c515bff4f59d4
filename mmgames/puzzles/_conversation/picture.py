"""What all solver and expert puzzles look like: the housing of a device, and a page of a manual.

A device is a metal case. Its head has room for a puzzle's own plate on the left; on the right are a light for each
mistake that may be made and the lamp: dark, green when solved, red when lost. Below is the panel.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from PIL import ImageFont

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, GREEN, INK, LINE, PAPER, RED, WHITE, Colour, Paint, Pen, mix
from mmgames.puzzles._conversation import READABLE as READABLE
from mmgames.puzzles._conversation.rules import ConversationView

CASE: Colour = (64, 70, 82)
PANEL: Colour = (158, 165, 163)
DARK: Colour = (38, 42, 50)
BRASS: Colour = (201, 160, 84)
ALUMINIUM: Colour = (226, 229, 228)
CAPTIONS = 256


class Layout(NamedTuple):
    """Where things are, in pixels: the frame, the head's middle and height, and the panel."""

    width: int
    height: int
    edge: int
    head_middle: int
    head: int
    left: int
    top: int
    right: int
    bottom: int


def layout(size: int, aspect: float = 0.8125) -> Layout:
    """The layout of a device `size` pixels wide; `aspect` is its height over its width, at most 1."""
    width, height = size, round(size * aspect)
    edge = round(size * 0.035)
    head = round(size * 0.115)
    top = edge + head + round(size * 0.02)
    return Layout(width, height, edge, edge + head // 2, head, edge * 2, top, width - edge * 2, height - edge * 2)


@lru_cache(maxsize=64)
def housing(at: Layout) -> np.ndarray:
    """The empty housing, read-only. A copy of it with what never changes is a puzzle's background."""
    return canvas.stamp(_case, at.width, at.height, PAPER, at)


def typed_housing(at: Layout, name: str) -> np.ndarray:
    """A housing whose plate says what type it is, to be completed."""
    frame = housing(at).copy()
    plate(frame, at, "TYPE")
    inscribe(frame, at, name)
    return frame


def titled_housing(at: Layout, title: str) -> np.ndarray:
    """A housing with a title in its head, which small ones lack, to be completed."""
    frame = housing(at).copy()
    if at.width >= CAPTIONS:
        words = canvas.label(title, round(at.head * 0.36), mix(CASE, WHITE, 0.5), CASE)
        canvas.paste(frame, words, at.left, at.head_middle, "w")
    return frame


def lights(frame: np.ndarray, at: Layout, view: ConversationView) -> None:
    """The lamp, and a light for each mistake that may be made, lit if it was."""
    side = round(at.head * 0.98)
    x = at.right - side // 2
    lamp: Colour | None = (222, 62, 52) if view.mover is None else None
    if view.solved:
        lamp = 74, 196, 96
    canvas.paste(frame, canvas.stamp(light, side, side, CASE, lamp or GREEN, lamp is not None), x, at.head_middle, "c")
    limit = view.mistake_limit
    small = min(round(at.head * 0.52), round(at.width * 0.24) // limit)
    x -= side // 2 + small * (limit - 1) + small // 2 + round(at.width * 0.02)
    for number in range(limit):
        picture = canvas.stamp(light, small, small, CASE, RED, number < (view.mistakes or 0))
        canvas.paste(frame, picture, x + number * small, at.head_middle, "c")


def light(pen: Pen, colour: Colour, lit: bool) -> None:
    """A round light in a bezel, with a glow around it when it is lit."""
    if lit:
        for radius, share in ((0.50, 0.82), (0.46, 0.66), (0.43, 0.48)):
            pen.disc(0.5, 0.5, radius, mix(colour, CASE, share))
    pen.disc(0.5, 0.5, 0.39, DARK)
    pen.disc(0.5, 0.5, 0.33, colour if lit else mix(colour, DARK, 0.72))
    if lit:
        pen.disc(0.5, 0.5, 0.24, mix(colour, WHITE, 0.22))
    pen.ellipse(0.42, 0.40, 0.10, 0.075, mix(colour, WHITE, 0.75) if lit else mix(colour, WHITE, 0.30))


def plate(frame: np.ndarray, at: Layout, caption: str) -> None:
    """A riveted name plate at the left of the head, for `inscribe`; small ones have no caption."""
    high, wide = round(at.head * 0.82), round(at.width * 0.46)
    shown = caption if at.width >= CAPTIONS else ""
    canvas.paste(frame, canvas.stamp(_plate, wide, high, CASE, shown), at.left, at.head_middle - high // 2)


def inscribe(frame: np.ndarray, at: Layout, text: str) -> None:
    """A short text on the plate in stamped signs, evenly spaced."""
    high, wide = round(at.head * 0.82), round(at.width * 0.46)
    first = at.left + round(wide * (0.34 if at.width >= CAPTIONS else 0.10))
    pitch = min((at.left + round(wide * 0.93) - first) // max(1, len(text)), round(high * 0.62))
    tall = round(high * 0.8)
    for number, letter in enumerate(text):
        picture = canvas.stamp(sign, pitch, tall, ALUMINIUM, letter, INK)
        canvas.paste(frame, picture, first + number * pitch, at.head_middle - tall // 2)


def sign(pen: Pen, letter: str, colour: Colour) -> None:
    """One letter or digit in the middle of its box. An M or W needs a box nearly as wide as it is high."""
    pen.text(0.5, 0.52, letter, 0.80, colour, bold=True)


def _plate(pen: Pen, caption: str) -> None:
    pen.rect(0, 0, 1, 1, mix(ALUMINIUM, DARK, 0.55), radius=0.16)
    pen.rect(0.006, 0.03, 0.994, 0.94, ALUMINIUM, radius=0.14)
    for x in (0.035, 0.965):
        pen.disc(x, 0.5, 0.06, mix(ALUMINIUM, DARK, 0.45))
    pen.text(0.075, 0.5, caption, 0.30, mix(INK, ALUMINIUM, 0.35), "lm")


def _case(pen: Pen, at: Layout) -> None:
    def box(left: float, top: float, right: float, bottom: float, fill: Colour, radius: float) -> None:
        pen.rect(left / at.width, top / at.height, right / at.width, bottom / at.height, fill, radius=radius)

    gap = at.edge * 0.35
    box(gap, gap * 1.6, at.width - gap, at.height - gap * 0.2, mix(PAPER, INK, 0.28), 0.06)
    box(gap, gap * 0.6, at.width - gap, at.height - gap * 1.4, mix(CASE, DARK, 0.7), 0.06)
    box(gap * 1.8, gap * 1.4, at.width - gap * 1.8, at.height - gap * 2.4, CASE, 0.05)
    thin = max(1.0, at.width / 200)
    box(at.left - thin * 2, at.top - thin * 2, at.right + thin, at.bottom + thin, DARK, 0.02)
    box(at.left - thin, at.top - thin, at.right + thin * 2, at.bottom + thin * 2, mix(CASE, WHITE, 0.25), 0.02)
    box(at.left, at.top, at.right, at.bottom, PANEL, 0.015)
    inset = at.edge * 1.15
    for x in (inset, at.width - inset):
        for y in (inset, at.height - inset * 1.12):
            radius = at.edge * 0.36 / at.height
            pen.disc(x / at.width, y / at.height, radius, mix(CASE, DARK, 0.8))
            pen.disc(x / at.width, y / at.height, radius * 0.82, mix(CASE, WHITE, 0.45))
            arm = at.edge * 0.17
            slot = [((x - arm) / at.width, (y + arm) / at.height), ((x + arm) / at.width, (y - arm) / at.height)]
            pen.line(slot, DARK, radius * 0.4)


def screw(pen: Pen, turned: int) -> None:
    """A brass terminal screw; `turned` tilts its slot, so that a row of them looks hand-made."""
    pen.disc(0.5, 0.5, 0.48, mix(BRASS, DARK, 0.65))
    pen.disc(0.5, 0.5, 0.42, BRASS)
    pen.disc(0.46, 0.45, 0.32, mix(BRASS, WHITE, 0.22))
    tilt = (turned * 7 % 5 - 2) * 0.12
    pen.line([(0.22, 0.5 - tilt), (0.78, 0.5 + tilt)], mix(BRASS, DARK, 0.75), 0.12)


Lists = tuple[tuple[str, tuple[str, ...]], ...]
Page = Callable[[Any, int], np.ndarray]
"""The page of a manual, for a size."""


def list_page(title: str, manuals: ModuleType) -> Page:
    """A square page: title, introduction, and numbered lists with headings, in letters as large as fit."""
    return lambda manual, size: painted_page(title, size, _print, title, manuals.INTRODUCTION, manuals.lists(manual))


def painted_page(title: str, size: int, paint: Paint, *details: Any) -> np.ndarray:
    """A square manual page that `paint` covers; below READABLE pixels it is the cover of the manual."""
    if size < READABLE:
        return canvas.stamp(_cover, size, size, PAPER, title)
    return canvas.painting(paint, size, size, mix(PAPER, INK, 0.12), *details)


Rows = tuple[tuple[str, ...], ...]


def table(pen: Pen, title: str, paragraphs: tuple[str, ...], rows: Rows, tints: dict[str, Colour]) -> None:
    """Paints a page with a table; its first row and column are headings, and a word's tint colours its cells."""
    sheet(pen, title)
    letters = 0.0265
    y = TOP + letters
    for paragraph in paragraphs:
        for line in _wrap(paragraph, (RIGHT - LEFT) / letters):
            pen.text(LEFT, y, line, letters, INK, "ls")
            y += letters * 1.3
        y += letters * 0.5
    y -= letters * 0.6
    narrow = 0.5  # of a column, for the first
    wide = (RIGHT - LEFT) / (len(rows[0]) - 1 + narrow)
    high = (BOTTOM - y) / len(rows)
    for down, row in enumerate(rows):
        for across, word in enumerate(row):
            left = LEFT + (wide * (across - 1 + narrow) if across else 0)
            right = left + (wide if across else wide * narrow)
            heading = not down or not across
            paper = mix(tints.get(word, WHITE), WHITE, 0.62) if not heading else mix(PAPER, INK, 0.06)
            pen.rect(left, y + down * high, right, y + (down + 1) * high, paper, LINE, 0.002)
            tall = min(high * 0.75, letters)
            pen.text((left + right) / 2, y + (down + 0.5) * high, word, tall, INK, bold=heading)


LEFT, TOP, RIGHT, BOTTOM = 0.105, 0.135, 0.955, 0.955
_MEASURE = 1000  # letters are measured at this size, large enough to be exact


def _print(pen: Pen, title: str, introduction: str, lists: Lists) -> None:
    sheet(pen, title)
    letters = 0.045
    while _set(None, introduction, lists, letters) > BOTTOM:
        letters *= 0.98
    _set(pen, introduction, lists, letters)


def _set(pen: Pen | None, introduction: str, lists: Lists, letters: float) -> float:
    """Set the text with a pen, or only measure it; says where it ends."""
    pitch, indent = letters * 1.3, letters * 1.7

    def put(line: str, x: float, y: float, colour: Colour, bold: bool = False) -> None:
        if pen is not None:
            pen.text(x, y, line, letters, colour, "ls", bold)

    y = TOP + letters
    for line in _wrap(introduction, (RIGHT - LEFT) / letters):
        put(line, LEFT, y, mix(INK, WHITE, 0.25))
        y += pitch
    for heading, lines in lists:
        y += pitch * 0.45
        put(heading, LEFT, y, INK, bold=True)
        if pen is not None:
            pen.rect(LEFT, y + letters * 0.32, RIGHT, y + letters * 0.32 + 0.002, LINE)
        y += pitch * 1.2
        for number, line in enumerate(lines, 1):
            put(f"{number}", LEFT + indent * 0.2, y, FAINT)
            for part in _wrap(line, (RIGHT - LEFT - indent) / letters):
                put(part, LEFT + indent, y, INK)
                y += pitch
    return y - pitch


@lru_cache(maxsize=8192)
def length(text: str) -> float:
    """How wide a text is, over the height of its letters."""
    return float(_ruler().getlength(text)) / _MEASURE


@lru_cache(maxsize=1)
def _ruler() -> Any:
    return ImageFont.load_default(_MEASURE)


def _wrap(text: str, width: float) -> list[str]:
    """The text in lines of at most `width` times the height of its letters."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if length(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def sheet(pen: Pen, title: str) -> None:
    """An empty manual page with its title; LEFT, TOP, RIGHT and BOTTOM bound the rest."""
    pen.rect(0.03, 0.03, 0.99, 0.995, mix(PAPER, INK, 0.30), radius=0.012)
    pen.rect(0.02, 0.015, 0.98, 0.98, WHITE, radius=0.012)
    for y in (0.16, 0.50, 0.84):
        pen.disc(0.055, y, 0.020, mix(PAPER, INK, 0.40))
        pen.disc(0.056, y + 0.003, 0.018, mix(PAPER, INK, 0.12))
    pen.text(LEFT, 0.07, title, 0.06, INK, "lm", bold=True)
    pen.rect(LEFT, 0.108, RIGHT, 0.114, RED)


def _cover(pen: Pen, title: str) -> None:
    blue: Colour = (46, 74, 112)
    pen.rect(0.15, 0.07, 0.89, 0.97, mix(PAPER, INK, 0.30), radius=0.02)
    pen.rect(0.13, 0.05, 0.87, 0.95, WHITE, radius=0.02)
    pen.rect(0.13, 0.04, 0.85, 0.94, mix(blue, DARK, 0.4), radius=0.02)
    pen.rect(0.19, 0.04, 0.85, 0.94, blue, radius=0.02)
    pen.rect(0.26, 0.18, 0.78, 0.46, PAPER, radius=0.01)
    height = min(0.13, 0.75 / max(1, len(title)))
    pen.text(0.52, 0.28, title, height, INK, bold=True)
    pen.text(0.52, 0.39, "MANUAL", 0.07, RED)
    for y in (0.62, 0.68, 0.74):
        pen.line([(0.32, y), (0.72, y)], mix(blue, WHITE, 0.35), 0.012)


def device_picture(
    page: Page,
    background: Callable[..., np.ndarray],
    aspect: float = 0.8125,
    of: Callable[[Any], tuple[Any, ...]] = lambda device: (),
) -> Callable[[Callable[[np.ndarray, Layout, Any], None]], Callable[..., np.ndarray]]:
    """Makes a puzzle's `draw` of a function that draws onto a frame what changes of a device.

    The frame is a copy of the `background` for a layout and for what the device tells `of` itself; the expert gets the
    `page` of the manual. Both are kept.
    """
    page, background = canvas.kept(32)(page), canvas.kept(64)(background)

    def draw(paint: Callable[..., None], view: ConversationView, size: int = 512) -> np.ndarray:
        if view.is_expert:
            return page(view.manual, size).copy()
        at = layout(size, aspect)
        frame = background(at, *of(view.device)).copy()
        lights(frame, at, view)
        paint(frame, at, view.device)
        return frame

    return lambda paint: partial(draw, paint)


Boxes = Callable[[Layout, Any], dict[str, Box]]


def clicked_regions(aspect: float = 0.8125) -> Callable[[Boxes], Callable[..., dict[str, tuple[Box, ...]]]]:
    """Makes a puzzle's `regions` of a function that says, for a layout and a device, where each action is clicked."""

    def regions(boxes: Boxes, view: ConversationView, size: int = 512) -> dict[str, tuple[Box, ...]]:
        found = boxes(layout(size, aspect), view.device) if view.names else {}
        return {name: (found[name],) for name in view.names if name in found}

    return lambda boxes: partial(regions, boxes)


Write = Callable[[Any, np.ndarray], None]


def device_features(count: int) -> Callable[[Write], Callable[[ConversationView], np.ndarray]]:
    """Makes a puzzle's `features`, `count` numbers, of a function that writes those of the device; last are mistakes,
    solved, turn and over. The expert sees no device: its features are 0 but for the last two."""

    def features(write: Write, view: ConversationView) -> np.ndarray:
        out = np.zeros(count, np.float32)
        out[-4:-2] = (view.mistakes or 0) / view.mistake_limit, bool(view.solved)
        out[-2:] = (view.turn - 1) / view.turns, view.mover is None
        if view.device is not None:
            write(view.device, out)
        return out

    return lambda write: partial(features, write)
