"""Minesweeper as a picture and as features."""

from functools import lru_cache
from math import cos, pi, sin

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, GOLD, INK, LINE, PAPER, RED, WHITE, Colour, Pen, mix
from mmgames.games.minesweeper.rules import HIDDEN, MINE, MinesweeperView
from mmgames.games.minesweeper.words import ROW_LETTERS, names

TILE: Colour = (176, 186, 198)
TILE_LIGHT, TILE_SHADE = mix(TILE, WHITE, 0.55), mix(TILE, INK, 0.38)
OPEN: Colour = (247, 246, 242)
GAP = mix(LINE, INK, 0.12)
LAST_OPEN, LAST_TILE = mix(OPEN, GOLD, 0.4), mix(TILE, GOLD, 0.65)
FATAL = mix(RED, WHITE, 0.2)
FLAG = RED
# Colours of the numbers 1 to 8, dark enough to be read on a light ground and different in lightness as well.
NUMBERS: tuple[Colour, ...] = (
    BLUE,
    (32, 116, 62),
    (196, 44, 38),
    (76, 40, 130),
    (128, 34, 34),
    (14, 116, 128),
    INK,
    (104, 104, 106),
)


def tile(pen: Pen, ground: Colour, light: Colour, shade: Colour) -> None:
    """A closed cell stands out: light falls on it from the top left."""
    edge = 0.09
    pen.rect(0, 0, 1, 1, shade)
    pen.polygon([(0, 0), (1, 0), (1 - edge, edge), (edge, 1 - edge), (0, 1)], light)
    pen.rect(edge, edge, 1 - edge, 1 - edge, ground)


def flag(pen: Pen, ground: Colour, light: Colour, shade: Colour, crossed: bool) -> None:
    tile(pen, ground, light, shade)
    pen.rect(0.28, 0.74, 0.74, 0.83, INK, radius=0.03)
    pen.rect(0.46, 0.2, 0.54, 0.78, INK)
    pen.polygon([(0.5, 0.17), (0.5, 0.53), (0.2, 0.35)], FLAG)
    if crossed:
        for ends in (((0.14, 0.14), (0.86, 0.86)), ((0.14, 0.86), (0.86, 0.14))):
            pen.line(ends, BLUE, 0.1)


def mine(pen: Pen, colour: Colour, glint: Colour) -> None:
    """A ball with eight spikes."""
    for eighth in range(8):
        angle = eighth * pi / 4
        pen.line([(0.5, 0.5), (0.5 + 0.36 * cos(angle), 0.5 + 0.36 * sin(angle))], colour, 0.09)
    pen.disc(0.5, 0.5, 0.26, colour)
    pen.disc(0.41, 0.41, 0.075, glint)


def hidden_mine(pen: Pen, ground: Colour, light: Colour, shade: Colour) -> None:
    """What only a spectator sees: a mine under its tile."""
    tile(pen, ground, light, shade)
    faint = mix(ground, INK, 0.45)
    mine(pen.part(0.14, 0.14, 0.72), faint, faint)


@lru_cache(maxsize=64)
def _layout(size: int, side: int) -> tuple[int, int, int, int]:
    """Left and top of the field, side of a cell, the gap between cells."""
    edge, gap = max(1, size // 64), 1
    cell = (size - max(9, round(size * 0.065)) - edge - (side + 1) * gap) // side
    left = size - edge - side * cell - (side + 1) * gap
    return left, left, cell, gap


@lru_cache(maxsize=2048)
def corner(cell: int, size: int, side: int) -> tuple[int, int]:
    """The top left pixel of a cell."""
    left, top, width, gap = _layout(size, side)
    return left + gap + cell % side * (width + gap), top + gap + cell // side * (width + gap)


@canvas.kept(32)
def _field(size: int, side: int) -> np.ndarray:
    """The field with its labels and all cells closed."""
    left, top, width, gap = _layout(size, side)
    frame = canvas.blank(size, size)
    across = side * (width + gap) + gap
    canvas.fill(frame, left, top, left + across, top + across, GAP)
    closed = canvas.stamp(tile, width, width, TILE, TILE, TILE_LIGHT, TILE_SHADE)
    for cell in range(side * side):
        canvas.paste(frame, closed, *corner(cell, size, side))
    letter = max(min(9, width), min(round(size * 0.045), round(width * 0.62)))
    for place in range(side):
        middle = gap + place * (width + gap) + width // 2
        number = canvas.label(str(place + 1), letter, INK, PAPER, letter > 9)
        canvas.paste(frame, number, left + middle, top // 2, "c")
        name = canvas.label(ROW_LETTERS[place], letter, INK, PAPER, letter > 9)
        canvas.paste(frame, name, left // 2, top + middle, "c")
    return frame


@canvas.kept(512)
def _number(width: int, number: int, ground: Colour) -> np.ndarray:
    picture = canvas.blank(width, width, ground)
    if number:
        small = width < 20
        height = max(8, round(width * (0.95 if small else 0.72)))
        letters = canvas.label(str(number), height, NUMBERS[number - 1], ground, not small)
        canvas.paste(picture, letters, (width + 1) // 2, (width + 1) // 2, "c")
    return picture


@lru_cache(maxsize=32)
def _mosaic(size: int, side: int) -> canvas.Mosaic:
    width = _layout(size, side)[2]

    def cell_tile(cell: int, kind: tuple[int, bool, str]) -> canvas.Tile:
        code, last, mark = kind
        surface = (LAST_TILE if last else TILE, TILE_LIGHT, TILE_SHADE)
        if code == MINE:
            picture = canvas.stamp(mine, width, width, FATAL if mark else OPEN, INK, WHITE)
        elif code != HIDDEN:
            picture = _number(width, code, LAST_OPEN if last else OPEN)
        elif mark == "mine":
            picture = canvas.stamp(hidden_mine, width, width, TILE, *surface)
        elif mark:
            picture = canvas.stamp(flag, width, width, TILE, *surface, mark == "crossed flag")
        else:
            picture = canvas.stamp(tile, width, width, TILE, *surface)
        return picture, *corner(cell, size, side)

    return canvas.Mosaic(_field(size, side), [_PLAIN[HIDDEN]] * side**2, cell_tile)


_PLAIN = {code: (code, False, "") for code in (HIDDEN, *range(MINE + 1))}


shows = all_but_the_seat


def draw(view: MinesweeperView, size: int = 512) -> np.ndarray:
    """A cell's kind: its code, whether it was the last one chosen, and what else stands on it."""
    cells = view.cells
    kinds = [_PLAIN[code] for code in cells]
    for cell in view.mines:
        if cells[cell] == HIDDEN:
            kinds[cell] = HIDDEN, False, "mine"
    for cell in view.flags:
        if cells[cell] == HIDDEN:
            kinds[cell] = HIDDEN, False, "flag" if view.hit is None else "crossed flag"
    if view.hit is not None:
        kinds[view.hit] = cells[view.hit], False, "hit"
    if view.last is not None and cells[view.last] != MINE:
        code, _, mark = kinds[view.last]
        kinds[view.last] = code, True, mark
    return _mosaic(size, view.side).draw(kinds)


def regions(view: MinesweeperView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """A click opens a cell; flags are put up by name."""
    width = _layout(size, view.side)[2]
    opened = [action for action in names(view) if action < len(view.cells)]
    return {cell: ((x, y, x + width, y + width),) for cell in opened for x, y in (corner(cell, size, view.side),)}


def features(view: MinesweeperView) -> np.ndarray:
    """For each cell closed, flagged, a shown mine, the numbers 0 to 8; then the share of mines without a flag."""
    kinds = MINE + 3
    out = np.zeros(len(view.cells) * kinds + 1, np.float32)
    planes = out[:-1].reshape(-1, kinds)
    codes = np.array(view.cells)
    planes[:, 0] = codes == HIDDEN
    planes[list(view.flags), 1] = 1
    planes[:, 2] = codes == MINE
    (numbered,) = np.nonzero((codes >= 0) & (codes < MINE))
    planes[numbered, 3 + codes[numbered]] = 1
    out[-1] = max(-1.0, (view.total - len(view.flags)) / view.total)
    return out


def planes(view: MinesweeperView) -> np.ndarray:
    """A sheet for each of the kinds of `features`, and one filled with the share of mines without a flag."""
    flat = features(view)
    kinds = np.moveaxis(flat[:-1].reshape(view.side, view.side, -1), 2, 0)
    return np.concatenate([kinds, np.full((1, view.side, view.side), flat[-1], np.float32)])
