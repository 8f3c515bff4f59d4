"""TicTacToe as a picture and as features."""

from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, GOLD, INK, LINE, PAPER, RED, WHITE, Colour, Paint, Pen, mix
from mmgames.games.tic_tac_toe.rules import (
    CELLS,
    CROSS,
    EMPTY,
    KERNEL,
    LINES,
    NOUGHT,
    SIDE,
    TicTacToeView,
    board_state,
    full_lines,
)
from mmgames.games.tic_tac_toe.words import ROW_LETTERS, names
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, features_and_planes
from mmgames.kernels.sprites import NOTHING, Sprite, SpriteSheet, put

Line = tuple[int, ...]

MARK_COLOURS = {CROSS: RED, NOUGHT: BLUE}
LAST_MOVE = mix(WHITE, GOLD, 0.25)
WINNING_LINE = mix(WHITE, GOLD, 0.75)


def mark(pen: Pen, which: int) -> None:
    colour = MARK_COLOURS[which]
    if which == NOUGHT:
        pen.disc(0.5, 0.5, 0.34, None, colour, 0.12)
        return
    near, far, thick = 0.21, 0.79, 0.125
    for ends in (((near, near), (far, far)), ((near, far), (far, near))):
        pen.line(ends, colour, thick)
        for x, y in ends:
            pen.disc(x, y, thick / 2, colour)


@lru_cache(maxsize=32)
def _layout(size: int) -> tuple[int, int, int, int]:
    """Left and top of the board, side of a cell, thickness of a line."""
    margin = max(11, round(size * 0.1))  # no less than the smallest label
    thin = max(1, size // 100)
    cell = (size - margin - size // 32 - 4 * thin) // SIDE
    return margin, margin, cell, thin


@lru_cache(maxsize=512)
def corner(cell: int, size: int) -> tuple[int, int]:
    """The top left pixel inside a cell."""
    left, top, side, thin = _layout(size)
    return left + thin + (cell % SIDE) * (side + thin), top + thin + (cell // SIDE) * (side + thin)


@canvas.kept(12)  # whole pictures: the empty one, and those of the common endings
def _board(size: int, struck: tuple[Line, ...]) -> np.ndarray:
    """The empty board with its labels and the given lines highlighted."""
    if struck:
        frame = _board(size, struck[1:])
        return _highlight(frame, _stroke(size, struck[0]))
    left, top, side, thin = _layout(size)
    frame = canvas.blank(size, size)
    board = SIDE * (side + thin) + thin
    canvas.fill(frame, left, top, left + board, top + board, mix(LINE, INK, 0.35))
    for cell in range(CELLS):
        x, y = corner(cell, size)
        canvas.fill(frame, x, y, x + side, y + side, WHITE)
    letter = max(9, size // 16)
    for place in range(SIDE):
        middle = thin + place * (side + thin) + side // 2
        number = canvas.label(str(place + 1), letter, INK, PAPER, True)
        canvas.paste(frame, number, left + middle, top // 2, "c")
        canvas.paste(frame, canvas.label(ROW_LETTERS[place], letter, INK, PAPER, True), left // 2, top + middle, "c")
    return frame


@lru_cache(maxsize=64)  # all that no line crosses, and some of an ending
def _cell(
    size: int, cell: int, which: int, ground: Colour, struck: tuple[Line, ...], paint: Paint = mark
) -> np.ndarray:
    """A marked cell, with the part of the highlighted lines that crosses it."""
    side = _layout(size)[2]
    x, y = corner(cell, size)
    picture = canvas.stamp(paint, side, side, ground, which)
    for line in struck:
        picture = _highlight(picture, _stroke(size, line)[y : y + side, x : x + side])
    return picture


@lru_cache(maxsize=16)
def _stroke(size: int, line: Line) -> np.ndarray:
    """A broad stroke through a line of cells: how far it covers each pixel, 0 to 255."""
    times, side = canvas.OVERSAMPLE, _layout(size)[2]
    ends = np.array([corner(line[0], size), corner(line[-1], size)]) + side / 2
    reach = (ends[1] - ends[0]) / np.abs(ends[1] - ends[0]).max() * side * 0.36
    tips = [tuple((ends[0] - reach) * times), tuple((ends[1] + reach) * times)]
    sheet = Image.new("L", (size * times, size * times))
    pen, radius = ImageDraw.Draw(sheet), side * times / 8
    pen.line(tips, 255, round(2 * radius))
    for x, y in tips:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), 255)
    return np.asarray(sheet.reduce(times))


def _highlight(picture: np.ndarray, stroke: np.ndarray) -> np.ndarray:
    """The picture with a stroke of a felt-tip highlighter, which leaves legible what is below it."""
    inked = stroke > 0
    kept = 1 - stroke[inked, None] / np.float32(255) * (1 - np.array(WINNING_LINE, np.float32) / 255)
    picture = picture.copy()
    picture[inked] = np.rint(picture[inked] * kept)
    return picture


@lru_cache(maxsize=3)  # each keeps several pictures; an ending is drawn once and then another one
def _mosaic(size: int, struck: tuple[Line, ...], paint: Paint = mark) -> canvas.Mosaic:
    ground, side = _board(size, struck), _layout(size)[2]

    def tile(cell: int, kind: tuple[int, bool]) -> canvas.Tile:
        (which, last), (x, y) = kind, corner(cell, size)
        if which == EMPTY:
            return ground[y : y + side, x : x + side], x, y
        crossing = tuple(line for line in struck if cell in line)
        return _cell(size, cell, which, LAST_MOVE if last else WHITE, crossing, paint), x, y

    return canvas.Mosaic(ground, [(EMPTY, False)] * CELLS, tile)


shows = all_but_the_seat


def draw(view: TicTacToeView, size: int = 512, paint: Paint = mark) -> np.ndarray:
    struck = tuple(full_lines(view.cells)) if view.mover is None else ()
    return _mosaic(size, struck, paint).draw([(which, cell == view.last) for cell, which in enumerate(view.cells)])


def regions(view: TicTacToeView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """A click on an empty cell marks it."""
    side = _layout(size)[2]
    return {cell: ((x, y, x + side, y + side),) for cell in names(view) for x, y in (corner(cell, size),)}


features, planes = features_and_planes(KERNEL, lambda view: board_state(view.cells, view.mover, view.marks))
# Pictures in batches. Codes: a whole board by the lines that are struck through, as bits, and then the marks, by these
# lines, whether it is the last move, the side and the cell.
LINE_BITS = np.array([sum(1 << cell for cell in line) for line in LINES])
BOARDS = 2 ** len(LINES)


@kernel
def place(state, layout, out):
    """What `draw` shows: a board with struck lines, if there are any, and the marks."""
    struck = 0
    if state.turn == NOBODY:
        for line in range(LINE_BITS.size):
            bits = LINE_BITS[line]
            if state.marks[0] & bits == bits or state.marks[1] & bits == bits:
                struck |= 1 << line
    put(out, 0, struck if struck else NOTHING, 0, 0)
    for cell in range(CELLS):
        code = NOTHING
        for side in range(2):
            if state.marks[side] >> cell & 1:
                code = BOARDS + ((struck * 2 + (state.last == cell)) * 2 + side) * CELLS + cell
        put(out, 1 + cell, code, 0, 0)


@lru_cache(maxsize=16)
def _sheet(size: int, marks: tuple[int, int]) -> SpriteSheet:
    def paint(code: int) -> Sprite:
        marked, cell = divmod(max(code - BOARDS, 0), CELLS)
        bits = code if code < BOARDS else marked // 4
        mosaic = _mosaic(size, tuple(line for number, line in enumerate(LINES) if bits >> number & 1))
        if code < BOARDS:
            return Sprite(mosaic.ground)
        return Sprite(*mosaic.tile(cell, (marks[marked % 2], bool(marked // 2 % 2))))

    return SpriteSheet(_board(size, ()), place, 1 + CELLS, BOARDS * (1 + 4 * CELLS), paint, apart=True)


def sprites(game: Any, size: int) -> SpriteSheet:
    return _sheet(size, game.marks)
