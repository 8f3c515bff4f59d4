"""Gomoku as a picture and as features."""

from functools import lru_cache

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLACK as SOOT
from mmgames.drawing.canvas import GOLD, INK, PAPER, RED, Colour, Paint, Pen, mix
from mmgames.drawing.canvas import WHITE as CHALK
from mmgames.games.gomoku.rules import BLACK, CELLS, EMPTY, KERNEL, SIDE, WHITE, GomokuView, board_state, fives, in_five
from mmgames.games.gomoku.words import COLUMN_NUMBERS, ROW_LETTERS, names
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, features_and_planes
from mmgames.kernels.sprites import NOTHING, board_sprites, put

WOOD: Colour = (226, 184, 120)
GRAIN: Colour = (214, 170, 106)
GRID: Colour = (112, 78, 42)
STARS = (3, 7, 11)  # rows and columns where the board has its dots
NOWHERE: Colour = (0, 0, 0)
PLAIN, LAST, WINNING = 0, 1, 2  # marks on a stone; the last stone of a winning line has both


def stone(pen: Pen, which: str, marks: int) -> None:
    face, rim = (SOOT, SOOT) if which == BLACK else (CHALK, mix(INK, GRID, 0.5))
    pen.disc(0.5, 0.5, 0.46, face, rim, 0.05)
    if marks & WINNING:
        pen.disc(0.5, 0.5, 0.4, None, mix(GOLD, RED, 0.15), 0.13)
    if marks & LAST:
        pen.disc(0.5, 0.5, 0.2, RED)
    elif not marks & WINNING:
        shine, start = (mix(face, CHALK, 0.45), 190) if which == BLACK else (mix(face, INK, 0.18), 10)
        pen.arc(0.5, 0.5, 0.34, start, start + 70, shine, 0.06)


def cover(pen: Pen, which: str) -> None:
    """Where a stone covers the board."""
    pen.disc(0.5, 0.5, 0.46, CHALK)


def dot(pen: Pen) -> None:
    pen.disc(0.5, 0.5, 0.5, GRID)


@lru_cache(maxsize=32)
def _layout(size: int) -> tuple[int, int]:
    """Where the board begins on the left, and how far its lines are apart. It ends at the top and right edges."""
    margin = max(8, round(size * 0.06))
    pitch = (size - margin) // SIDE
    return size - SIDE * pitch, pitch


def corner(cell: int, size: int) -> tuple[int, int]:
    """The top left pixel of the square around a point."""
    left, pitch = _layout(size)
    return left + cell % SIDE * pitch, cell // SIDE * pitch


def _label(text: str, pitch: int) -> np.ndarray:
    """A letter or a number, no higher than the lines are apart."""
    if pitch >= 14:
        return canvas.label(text, min(round(pitch * 0.66), 24 + pitch // 8), INK, PAPER, pitch > 20)
    return canvas.tiny_label(text, INK, PAPER)


@canvas.kept(32)
def _board(size: int) -> np.ndarray:
    """The empty board with its labels."""
    left, pitch = _layout(size)
    far = SIDE * pitch
    frame = canvas.blank(size, size)
    down, right = np.mgrid[0:far, 0:far] * (512 / size)
    wave = np.sin(down / 3.1 + 2.2 * np.sin(right / 90 + down / 60)) + np.sin(down / 9.7 + right / 140)
    share = ((wave + 2) / 4)[:, :, None] if pitch >= 14 else 0.5
    frame[:far, left:] = np.rint(np.array(WOOD) + (np.array(GRAIN, float) - WOOD) * share)
    thick = 2 - pitch % 2  # a line runs through the middle of the stones on it
    before = (pitch - thick) // 2
    colour = GRID if pitch > 14 else mix(GRID, WOOD, 0.35)
    first, end = before, far - pitch + before + thick
    for place in range(SIDE):
        at = place * pitch + before
        canvas.fill(frame, left + first, at, left + end, at + thick, colour)
        canvas.fill(frame, left + at, first, left + at + thick, end, colour)
    reach = max(1, pitch // 8)
    star = canvas.stamp(dot, 2 * reach + thick, 2 * reach + thick, WOOD)
    for row in STARS:
        for column in STARS:
            x, y = corner(row * SIDE + column, size)
            x, y = x + before - reach, y + before - reach
            patch = frame[y : y + 2 * reach + thick, x : x + 2 * reach + thick]
            np.minimum(patch, star, out=patch)
    every = -(-(canvas.TINY_HEIGHT + 1) // pitch)  # in tiny pictures only some lines have room for a label
    wide = -(-(_label(COLUMN_NUMBERS[-1], pitch).shape[1] + 1) // pitch)
    for place in range(0, SIDE, every):
        middle = place * pitch + pitch // 2
        canvas.paste(frame, _label(ROW_LETTERS[place], pitch), left // 2, middle, "c")
    for place in range(0, SIDE, wide):
        middle = place * pitch + pitch // 2
        canvas.paste(frame, _label(COLUMN_NUMBERS[place], pitch), left + middle, (far + size) // 2, "c")
    return frame


@lru_cache(maxsize=4096)
def _stone(size: int, cell: int, which: str, marks: int, paint: Paint, under: Paint) -> canvas.Tile:
    """A stone on the lines of its point, and where it goes."""
    pitch = _layout(size)[1]
    x, y = corner(cell, size)
    rows, columns = slice(y, y + pitch), slice(x, x + pitch)
    flat = canvas.stamp(paint, pitch, pitch, WOOD, which, marks)
    bare = 1 - canvas.stamp(under, pitch, pitch, NOWHERE, which) / 255
    # The stamp stands on flat wood; where it does not cover the board, the board's own lines and grain come back.
    below = _board(size)[rows, columns] - np.array(WOOD, float)
    picture = np.clip(np.rint(flat + bare * below), 0, 255).astype(np.uint8)
    picture.setflags(write=False)
    return picture, x, y


@lru_cache(maxsize=32)
def _mosaic(size: int, paint: Paint = stone, under: Paint = cover) -> canvas.Mosaic:
    ground, (_, pitch) = _board(size), _layout(size)

    def tile(cell: int, kind: str) -> canvas.Tile:
        """A point: nothing, or a stone and after it how it is marked."""
        if kind == EMPTY:
            x, y = corner(cell, size)
            return ground[y : y + pitch, x : x + pitch], x, y
        marks = (LAST if "last" in kind else PLAIN) | (WINNING if "winning" in kind else PLAIN)
        return _stone(size, cell, kind[0], marks, paint, under)

    return canvas.Mosaic(ground, EMPTY * CELLS, tile)


shows = all_but_the_seat


def draw(view: GomokuView, size: int = 512, paint: Paint = stone, under: Paint = cover) -> np.ndarray:
    kinds = list(view.cells)
    if view.last is not None:
        kinds[view.last] += " last"
    if view.mover is None:
        for cell in {cell for line in fives(view.cells) for cell in line}:
            kinds[cell] += " winning"
    return _mosaic(size, paint, under).draw(kinds)


def regions(view: GomokuView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """A click near a free point puts a stone on it."""
    pitch = _layout(size)[1]
    return {cell: ((x, y, x + pitch, y + pitch),) for cell in names(view) for x, y in (corner(cell, size),)}


features, planes = features_and_planes(KERNEL, lambda view: board_state(view.cells, view.mover))
KINDS = tuple(stone + last + five for five in ("", " winning") for last in ("", " last") for stone in (BLACK, WHITE))


@kernel
def place(state, layout, out):
    """A stone for each that `draw` shows."""
    put(out, 0, NOTHING, 0, 0)
    for cell in range(CELLS):
        stone = state.points[cell]
        marks = 2 * (state.last == cell) + 4 * (stone and state.turn == NOBODY and in_five(state, cell))
        put(out, 1 + cell, cell * 8 + stone - 1 + marks if stone else NOTHING, 0, 0)


sprites = board_sprites(_mosaic, CELLS, KINDS, place)
