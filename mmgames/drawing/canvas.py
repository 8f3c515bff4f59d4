"""The canvas kit: crisp pictures by array copy.

A *paint* function draws one thing with a `Pen` in unit coordinates (0..1, origin top left). `stamp` renders it once
per size and background, anti-aliased, and keeps it; a frame is a copy of a cached background with stamps and labels
copied onto it. Drawing 512 pixels wide takes well under a millisecond.
"""

import copy
import functools
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, Self

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Paint = Callable[..., None]
OVERSAMPLE = 4

# One calm palette for all games; red and blue differ in lightness too, for colour-blind eyes and grey printers.
PAPER: Colour = (250, 248, 243)
INK: Colour = (43, 45, 52)
FAINT: Colour = (150, 150, 152)
LINE: Colour = (205, 202, 194)
RED: Colour = (205, 58, 50)
BLUE: Colour = (38, 82, 168)
GREEN: Colour = (58, 140, 82)
GOLD: Colour = (232, 178, 48)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (24, 24, 27)


def mix(colour: Colour, other: Colour, share: float) -> Colour:
    """`colour` with a share (0..1) of `other`."""
    return tuple(round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))  # type: ignore[return-value]


class Pen:
    """Draws shapes in unit coordinates onto one small picture; lengths are shares of its shorter side."""

    def __init__(self, image: Image.Image) -> None:
        self._draw = ImageDraw.Draw(image)
        self._left = self._top = 0.0
        self._width, self._height = float(image.width), float(image.height)
        self._unit = min(self._width, self._height)

    def part(self, x: float, y: float, share: float) -> Self:
        """A pen for a smaller picture inside this one, its corner at (x, y)."""
        pen = copy.copy(self)
        pen._left, pen._top = self._left + x * self._width, self._top + y * self._height
        pen._width, pen._height, pen._unit = self._width * share, self._height * share, self._unit * share
        return pen

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._width, self._top + y * self._height

    def _points(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [self._point(x, y) for x, y in points]

    def _box(self, x: float, y: float, rx: float, ry: float) -> tuple[float, float, float, float]:
        (cx, cy), rx, ry = self._point(x, y), rx * self._unit, ry * self._unit
        # In a tiny picture a shape may be thinner than a pixel; Pillow wants its corners in order all the same.
        return cx - rx, cy - ry, max(cx - rx, cx + rx - 1), max(cy - ry, cy + ry - 1)

    def _line(self, width: float) -> int:
        return max(1, round(width * self._unit)) if width else 0

    def disc(self, x: float, y: float, r: float, fill: Colour | None, edge: Colour | None = None, width: float = 0):
        self._draw.ellipse(self._box(x, y, r, r), fill, edge, self._line(width))

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: Colour | None, edge=None, width: float = 0):
        self._draw.ellipse(self._box(x, y, rx, ry), fill, edge, self._line(width))

    def pie(self, x: float, y: float, r: float, start: float, end: float, fill: Colour):
        """A sector, angles in degrees clockwise from three o'clock."""
        self._draw.pieslice(self._box(x, y, r, r), start, end, fill)

    def arc(self, x: float, y: float, r: float, start: float, end: float, colour: Colour, width: float):
        self._draw.arc(self._box(x, y, r, r), start, end, colour, self._line(width))

    def rect(self, x0: float, y0: float, x1: float, y1: float, fill: Colour | None, edge=None, width: float = 0,
             radius: float = 0):  # fmt: skip
        (left, top), (right, bottom) = self._points([(x0, y0), (x1, y1)])
        box = (left, top, max(left, right - 1), max(top, bottom - 1))
        self._draw.rounded_rectangle(box, radius * self._unit, fill, edge, self._line(width))

    def polygon(self, points: Sequence[tuple[float, float]], fill: Colour | None, edge=None, width: float = 0):
        self._draw.polygon(self._points(points), fill, edge, self._line(width) or 1)

    def line(self, points: Sequence[tuple[float, float]], colour: Colour, width: float):
        self._draw.line(self._points(points), colour, self._line(width), joint="curve")

    def text(self, x: float, y: float, text: str, height: float, colour: Colour, anchor: str = "mm", bold=False):
        """Text with its middle (or another Pillow anchor) at (x, y); `height` is the size of the letters."""
        size = max(1, round(height * self._height))
        self._draw.text(self._point(x, y), text, colour, _font(size), anchor, stroke_width=size / 30 if bold else 0)

    def text_width(self, text: str, height: float) -> float:
        """How wide a text would be, as a share of the picture's width."""
        return float(_font(max(1, round(height * self._height))).getlength(text)) / self._width


@lru_cache(maxsize=256)
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


@lru_cache(maxsize=4096)
def stamp(paint: Paint, width: int, height: int, background: Colour, *details: Any) -> np.ndarray:
    """What `paint(pen, *details)` draws, as uint8[height, width, 3] on a flat background. Made once, kept."""
    return _frozen(painting(paint, width, height, background, *details))


def painting(paint: Paint, width: int, height: int, background: Colour, *details: Any) -> np.ndarray:
    """What `stamp` makes, not kept: for large pictures of which there is no end, such as a page for every episode."""
    image = Image.new("RGB", (width * OVERSAMPLE, height * OVERSAMPLE), background)
    paint(Pen(image), *details)
    return np.array(image.reduce(OVERSAMPLE))


@lru_cache(maxsize=256)
def flat(width: int, height: int, colour: Colour) -> np.ndarray:
    """A stamp of one colour. Made once, kept."""
    return _frozen(blank(width, height, colour))


@lru_cache(maxsize=4096)
def label(text: str, height: int, colour: Colour, background: Colour, bold: bool = False) -> np.ndarray:
    """A line of text whose font size is `height` pixels, as an array just wide enough. Made once, kept.

    The font (Aileron, which ships inside Pillow) covers Latin letters; draw other symbols with a Pen.
    """
    font = _font(height)
    stroke = height / 30 if bold else 0
    width = max(1, round(font.getlength(text) + 2 * stroke))
    tall = round(height * 1.25)
    image = Image.new("RGB", (width, tall), background)
    ImageDraw.Draw(image).text((stroke, tall / 2), text, colour, font, "lm", stroke_width=stroke)
    return _frozen(np.asarray(image))


def tight_label(text: str, height: int, colour: Colour, background: Colour, bold: bool = False) -> np.ndarray:
    """A label without the empty rows and columns around it, which would cover its neighbours where room is scarce."""
    picture = label(text, height, colour, background, bold)
    inked = np.abs(picture - np.array(background)).max(axis=2) > 50
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


# Letters of three by five pixels, for pictures too small for the font: their rows as octal digits, top to bottom.
TINY_FONT = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74616", "6": "34757", "7": "71122",
    "8": "75757", "9": "75716", "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644",
    "G": "34553", "H": "55755", "I": "72227", "J": "11153", "K": "55655", "L": "44447", "M": "57755", "N": "65555",
    "O": "25552",
}  # fmt: skip
TINY_WIDTH, TINY_HEIGHT = 3, 5


def tiny_label(text: str, colour: Colour, background: Colour) -> np.ndarray:
    picture = blank(len(text) * (TINY_WIDTH + 1) - 1, TINY_HEIGHT, background)
    for place, letter in enumerate(text):
        for row, bits in enumerate(TINY_FONT[letter]):
            for column in range(TINY_WIDTH):
                if int(bits) >> TINY_WIDTH - 1 - column & 1:
                    picture[row, place * (TINY_WIDTH + 1) + column] = colour
    return picture


GIVEN = 3
"""A step's picture is held while the next is drawn, and often for as long again: so many are waited for."""

Tile = tuple[np.ndarray, int, int]
"""A picture and where its top left corner goes."""


class Mosaic:
    """A picture of tiles on a ground. What it drew last is kept, and only tiles of another kind are copied anew.

    `tile(place, kind)` gives a tile; all kinds of a place must cover the same pixels. The ground shows the places as
    their kind is in `blank`. A board changes in a few places between two pictures, so drawing costs little more than
    a copy; and not even that where a picture that was given out has become free: nobody could write on it (whoever
    got it has made it read-only), and nobody holds it any more.
    """

    def __init__(self, ground: np.ndarray, blank: Sequence[Hashable], tile: Callable[[int, Any], Tile]) -> None:
        self.ground, self.tile, self._blank = ground, tile, tuple(blank)
        self._kept: list[tuple[Sequence[Hashable], np.ndarray]] = []
        self._given: list[tuple[Sequence[Hashable], np.ndarray]] = []
        self._tiles: dict[tuple[int, Hashable], tuple[np.ndarray, slice, slice]] = {}

    def draw(self, kinds: Sequence[Any]) -> np.ndarray:
        """A fresh picture with a tile of the given kind in each place."""
        free = self._free()
        if free is not None:
            before, frame = free
            self._change(frame, before, kinds)
        else:
            try:
                before, kept = self._kept.pop()  # a thread takes what is kept, and another one finds nothing there
            except IndexError:
                before, kept = self._blank, self.ground.copy()
            self._change(kept, before, kinds)
            frame = kept.copy()
            self._kept[:] = [(kinds, kept)]  # from here on it is another thread's; one is enough for all of them
        self._given.append((kinds, frame))
        return frame

    def _free(self) -> tuple[Sequence[Hashable], np.ndarray] | None:
        """A picture of ours that nobody else holds, or what was written on, and what it shows."""
        try:
            if self._given[-1][1].flags.writeable:
                self._given.clear()  # whoever got it may keep it and write on it
            if len(self._given) < GIVEN:
                return None
            before, frame = self._given.pop(0)
        except IndexError:  # nothing was given out, or another thread was faster
            return None
        if frame.flags.writeable or sys.getrefcount(frame) > 2:  # this variable, and the question itself
            return None
        frame.setflags(write=True)
        return before, frame

    def _change(self, frame: np.ndarray, before: Sequence[Hashable], kinds: Sequence[Hashable]) -> None:
        for place, (kind, old) in enumerate(zip(kinds, before, strict=True)):
            if kind is not old and kind != old:
                known = self._tiles.get((place, kind))
                picture, down, across = self._placed(place, kind) if known is None else known
                frame[down, across] = picture

    def _placed(self, place: int, kind: Hashable) -> tuple[np.ndarray, slice, slice]:
        picture, x, y = self.tile(place, kind)
        placed = picture, slice(y, y + picture.shape[0]), slice(x, x + picture.shape[1])
        self._tiles[place, kind] = placed
        return placed


def blank(width: int, height: int, colour: Colour = PAPER) -> np.ndarray:
    line = np.empty((width, 3), np.uint8)
    line[:] = colour
    frame = np.empty((height, width, 3), np.uint8)
    frame[:] = line  # whole lines are copied many times faster than single pixels
    return frame


def paste(frame: np.ndarray, picture: np.ndarray, x: int, y: int, anchor: str = "nw") -> None:
    """Copy a stamp or label onto a frame; (x, y) is its corner ("nw", "ne"), centre ("c") or side ("w", "e").

    What would fall outside the frame is cut off.
    """
    high, wide = picture.shape[:2]
    if anchor in ("c", "w", "e"):
        y -= high // 2
    if anchor == "c":
        x -= wide // 2
    elif anchor in ("ne", "e"):
        x -= wide
    if x >= 0 and y >= 0 and x + wide <= frame.shape[1] and y + high <= frame.shape[0]:
        frame[y : y + high, x : x + wide] = picture
        return
    top, left = max(y, 0), max(x, 0)
    bottom, right = min(y + high, frame.shape[0]), min(x + wide, frame.shape[1])
    if top < bottom and left < right:
        frame[top:bottom, left:right] = picture[top - y : bottom - y, left - x : right - x]


Overlay = tuple[np.ndarray, np.ndarray]
"""A picture to be laid over anything: its colours as far as it covers, and how much shines through, of 255."""


@lru_cache(maxsize=4096)
def overlay(paint: Paint, width: int, height: int, *details: Any) -> Overlay:
    """What `paint(pen, *details)` draws, with nothing around it. Made once, kept."""
    dark, light = (painting(paint, width, height, colour, *details) for colour in ((0, 0, 0), WHITE))
    return _frozen(dark), _frozen(np.maximum(light, dark) - dark)


def lay(frame: np.ndarray, over: Overlay, x: int, y: int) -> None:
    """Lay an overlay on a frame, its centre at (x, y); what would fall outside the frame is cut off."""
    colours, through = over
    high, wide = colours.shape[:2]
    x, y = x - wide // 2, y - high // 2
    top, left, bottom, right = max(y, 0), max(x, 0), min(y + high, frame.shape[0]), min(x + wide, frame.shape[1])
    if top < bottom and left < right:
        part = slice(top - y, bottom - y), slice(left - x, right - x)
        below = frame[top:bottom, left:right]
        below[...] = below.astype(np.uint16) * through[part] // 255 + colours[part]


def fill(frame: np.ndarray, x0: int, y0: int, x1: int, y1: int, colour: Colour) -> None:
    frame[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = colour


def outline(frame: np.ndarray, x0: int, y0: int, x1: int, y1: int, colour: Colour, width: int = 1) -> None:
    fill(frame, x0, y0, x1, y0 + width, colour)
    fill(frame, x0, y1 - width, x1, y1, colour)
    fill(frame, x0, y0, x0 + width, y1, colour)
    fill(frame, x1 - width, y0, x1, y1, colour)


def kept(most: int) -> Callable[[Callable[..., np.ndarray]], Callable[..., np.ndarray]]:
    """Keeps the pictures that a function makes, `most` of them and read-only."""
    return lambda make: lru_cache(maxsize=most)(lambda *of: _frozen(make(*of)))


def _frozen(picture: np.ndarray) -> np.ndarray:
    picture.setflags(write=False)
    return picture


_every: "weakref.WeakSet[KeptPictures]" = weakref.WeakSet()


class KeptPictures:
    """The pictures that were looked at last and may be looked at again, `most_bytes` in all."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, np.ndarray] = OrderedDict()
        self.bytes = 0
        _every.add(self)

    def get(self, key: Hashable, draw: Callable[[], np.ndarray]) -> np.ndarray:
        """The picture that is kept under a key, or the one that is drawn now; read-only."""
        picture = self._kept.get(key)
        if picture is not None:
            self._kept.move_to_end(key)
            return picture
        picture = draw()
        picture.setflags(write=False)
        self._kept[key] = picture
        self.bytes += picture.nbytes
        while self.bytes > self.most_bytes and len(self._kept) > 1:
            self.bytes -= self._kept.popitem(last=False)[1].nbytes
        return picture

    def forget(self) -> None:
        self._kept.clear()
        self.bytes = 0


def forget_pictures() -> None:
    """Forget all that is kept to draw faster: it is drawn again when it is needed."""
    for kept in list(_every):
        kept.forget()
    for name, module in list(sys.modules.items()):
        if name.startswith("mmgames.drawing.") or ".picture" in name or "._scenes." in name:
            for found in list(vars(module).values()):
                if isinstance(found, functools._lru_cache_wrapper):
                    found.cache_clear()
