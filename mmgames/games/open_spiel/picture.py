"""OpenSpiel's games as pictures: boards that people know, of others what OpenSpiel writes, one sign to a cell, as large
as the text leaves room for."""

import re
import textwrap
from functools import lru_cache

import numpy as np
from PIL import Image, ImageFont

from mmgames.core.game import Seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, FAINT, INK, LINE, PAPER, RED, Colour, Pen
from mmgames.errors import MmgamesError
from mmgames.games.open_spiel import boards
from mmgames.games.open_spiel.engine import load_engine
from mmgames.games.open_spiel.rules import OpenSpielView

CARD_BLOCK = 0x1F0A0  # Unicode's playing cards: four suits of sixteen signs, the first of them a card's back
SUITS = "♠♥♦♣"
ARMS = {  # left, up, right, down
    "─": "1010", "│": "0101", "┌": "0011", "┐": "1001", "└": "0110", "┘": "1100", "├": "0111", "┤": "1101",
    "┬": "1011", "┴": "1110", "┼": "1111", "╴": "1000", "╵": "0100", "╶": "0010", "╷": "0001",
}  # fmt: skip
NARROW, SQUARE = 0.56, 1.0  # widths of a cell for its height: in texts, and on boards of single signs
LETTER = 0.86  # size of the letters for the height of a cell
CALM = 1 / 8  # no sign is taller than this share of the picture
WRAPPED = (24, 32, 40, 48, 60, 80, 100)  # columns that long lines may be broken into
GAIN = 1.2  # how much larger the signs must become before lines are broken for it
_WORD = re.compile(r"[A-Za-z]{2,}")
_SIDES = re.compile(r"(?<![A-Za-z])(?:[xo]+|[XO]+)(?![A-Za-z])")
_PIECE = re.compile(r"[^\s/|;,]*[\s/|;,]?")
_BRACKETS = re.compile(r"[^\]]*\]?")


def draw(view: OpenSpielView, size: int = 512) -> np.ndarray:
    ground, top = _ground(view.engine, view.mover, size)
    frame = ground.copy()
    if (at := boards.layout(view.engine, view.sight, top, size)) is not None:
        boards.draw(frame, boards.known(view), view, at)
        return frame
    margin = max(1, size // 32)
    lines, high, wide = _layout(view.sight, size - 2 * margin, size - top - margin, round(size * CALM))
    left = (size - wide * max(map(len, lines))) // 2
    y = top + max(0, (size - top - margin - high * len(lines)) // 2)
    for line in lines:
        colours = _colours(line)
        for column, (sign, colour) in enumerate(zip(line, colours, strict=True)):
            if sign != " ":
                canvas.paste(frame, _stamp(sign, wide, high, colour), left + column * wide, y)
        y += high
    return frame


def regions(view: OpenSpielView, size: int) -> dict[int, list[tuple[int, ...]]]:
    """Where on a drawn board one may click for a move."""
    at = boards.layout(view.engine, view.sight, _ground(view.engine, view.mover, size)[1], size)
    return {} if at is None else boards.regions(boards.known(view), view, at)


def features(view: OpenSpielView) -> np.ndarray:
    """OpenSpiel's tensor, scaled by the rules into [-1, 1]."""
    if not view.tensor:
        raise MmgamesError(f"OpenSpiel has no tensor for {view.engine}, so it has no features; leave them unobserved.")
    return np.frombuffer(view.tensor, np.float32).copy()


@lru_cache(maxsize=64)
def _ground(engine: str, mover: Seat | None, size: int) -> tuple[np.ndarray, int]:
    """The name of the game and who is to move, above a line on an empty sheet; and where the text begins."""
    frame, margin, high = canvas.blank(size, size), max(1, size // 32), size // 28
    if high < 9:  # too small to read
        return frame, margin
    name = load_engine(engine).get_type().long_name
    turn = "over" if mover is None else f"player_{mover} to move"
    canvas.paste(frame, canvas.label(name, high, INK, PAPER, True), margin, size // 26, "w")
    canvas.paste(frame, canvas.label(turn, high, FAINT, PAPER), size - margin, size // 26, "e")
    below = size // 13
    canvas.fill(frame, margin, below, size - margin, below + max(1, size // 256), LINE)
    return frame, below + margin


@lru_cache(maxsize=256)
def _layout(text: str, width: int, height: int, tallest: int) -> tuple[list[str], int, int]:
    """The lines of a text, and the height and width of a cell that lets all of them fit."""
    whole = [_plain_cards(line) for line in textwrap.dedent(text).splitlines()] or [""]
    ratio = NARROW if _WORD.search(_SIDES.sub("", text)) else SQUARE

    def cell(lines: list[str]) -> tuple[int, int]:
        columns = max(1, *map(len, lines))
        high = min(tallest, height // len(lines), int(width / columns / NARROW))
        wide = min(width // columns, round(high * ratio))
        return max(1, high), max(1, wide)

    best = whole
    longest = max(map(len, whole))
    for columns in (columns for columns in WRAPPED if columns < longest):
        broken = [part for line in whole for part in _broken(line, columns)]
        if cell(broken)[0] > GAIN * cell(best)[0]:
            best = broken
    return best, *cell(best)


def _broken(line: str, columns: int) -> list[str]:
    """A line in parts of so many columns, broken after a sign that divides things where there is one."""
    if len(line) <= columns:
        return [line]
    parts = [""]
    for piece in (_BRACKETS if "][" in line else _PIECE).findall(line):
        for start in range(0, len(piece), columns):
            bit = piece[start : start + columns]
            if len(parts[-1]) + len(bit.rstrip()) > columns:
                parts.append("")
            parts[-1] += bit
    return [part.rstrip() for part in parts if part.strip()]


def _plain_cards(line: str) -> str:
    """Unicode's playing cards as rank and suit, which can be read at any size."""
    return "".join(_card(ord(sign)) if CARD_BLOCK <= ord(sign) < CARD_BLOCK + 64 else sign for sign in line)


def _card(code: int) -> str:
    suit, rank = divmod(code - CARD_BLOCK, 16)
    return "[]" if rank == 15 else "##" if rank == 0 else f"{'A23456789TJCQK'[rank - 1]}{SUITS[suit]}"


def _colours(line: str) -> list[Colour]:
    """Red x and blue o where these letters stand for pieces, red hearts and diamonds, faint dots."""
    colours = [RED if sign in "♥♦" else FAINT if sign == "." else INK for sign in line]
    for found in _SIDES.finditer(line):
        for place in range(*found.span()):
            colours[place] = RED if line[place] in "xX" else BLUE
    return colours


@lru_cache(maxsize=4096)
def _stamp(sign: str, wide: int, high: int, colour: Colour) -> np.ndarray:
    """A sign in its cell; letters that are too broad for it are made narrower, not smaller."""
    own = round(_breadth(sign) * LETTER * high) + 1
    if own <= wide or sign in ARMS or sign in SUITS:
        return canvas.stamp(_sign, wide, high, PAPER, sign, colour)
    broad = canvas.stamp(_sign, own, high, PAPER, sign, colour)
    return np.asarray(Image.fromarray(broad).resize((wide, high), Image.Resampling.BOX))


def _sign(pen: Pen, sign: str, colour: Colour) -> None:
    if sign in ARMS:
        for arm, end in zip(ARMS[sign], ((0, 0.5), (0.5, 0), (1, 0.5), (0.5, 1)), strict=True):
            if arm == "1":
                pen.line([(0.5, 0.5), end], colour, 0.09)
    elif sign in SUITS:
        _suit(pen, sign, colour)
    elif sign == "←":
        pen.line([(0.1, 0.5), (0.9, 0.5)], colour, 0.08)
        pen.polygon([(0.05, 0.5), (0.45, 0.35), (0.45, 0.65)], colour)
    else:
        pen.text(0.5, 0.78, sign, LETTER, colour, "ms")


def _suit(pen: Pen, sign: str, colour: Colour) -> None:
    if sign == "♦":
        pen.polygon([(0.5, 0.2), (0.9, 0.52), (0.5, 0.84), (0.1, 0.52)], colour)
    elif sign == "♥":
        for x in (0.29, 0.71):
            pen.disc(x, 0.4, 0.23, colour)
        pen.polygon([(0.09, 0.48), (0.91, 0.48), (0.5, 0.84)], colour)
    else:
        if sign == "♠":
            pen.polygon([(0.5, 0.18), (0.93, 0.54), (0.07, 0.54)], colour)
            discs: tuple[tuple[float, float], ...] = ((0.28, 0.56), (0.72, 0.56))
        else:
            discs = ((0.5, 0.34), (0.27, 0.56), (0.73, 0.56))
        for x, y in discs:
            pen.disc(x, y, 0.22, colour)
        pen.polygon([(0.5, 0.45), (0.68, 0.84), (0.32, 0.84)], colour)


@lru_cache(maxsize=512)
def _breadth(sign: str) -> float:
    """How broad a sign is for the height of its letters."""
    return max(0.1, ImageFont.load_default(100).getlength(sign) / 100)
