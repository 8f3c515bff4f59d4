"""Sudoku as a picture and as features."""

from functools import lru_cache
from operator import add

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, GOLD, INK, LINE, PAPER, RED, WHITE, Colour, mix
from mmgames.games.sudoku.rules import CELLS, EMPTY, SIDE, Grid, SudokuView, blocked
from mmgames.games.sudoku.words import COLUMN_NUMBERS, ROW_LETTERS, names

PRINTED_GROUND: Colour = (233, 231, 224)
LAST_MOVE = mix(WHITE, GOLD, 0.35)
STUCK = mix(WHITE, RED, 0.3)
SMALL, TINY = 11, 8  # pixels of a cell below which there is no room around letters, and none for the font
THIN_LINE = mix(LINE, INK, 0.2)


@lru_cache(maxsize=32)
def _layout(size: int) -> tuple[int, int, int, int]:
    """Left and top of the grid, side of a cell, thickness of a thick line. Thin lines take a third of that."""
    margin = max(8, round(size * 0.075))
    thick = max(2, size // 128) if size >= 69 else 1  # else a cell would be too low for a digit
    lines = 4 * thick + 6 * _thin(thick)
    side = (size - margin - max(1, size // 64) - lines) // SIDE
    left = size - max(1, size // 64) - lines - SIDE * side
    return left, left, side, thick


def _thin(thick: int) -> int:
    return max(1, thick // 3)


@lru_cache(maxsize=64)
def _offset(place: int, size: int) -> int:
    """From the edge of the grid to the inside of a row or column of cells."""
    _, _, side, thick = _layout(size)
    boxes = place // 3
    return place * side + (boxes + 1) * thick + (place - boxes) * _thin(thick)


@lru_cache(maxsize=1024)
def corner(cell: int, size: int) -> tuple[int, int]:
    """The top left pixel inside a cell."""
    left, top, _, _ = _layout(size)
    return left + _offset(cell % SIDE, size), top + _offset(cell // SIDE, size)


@canvas.kept(32)
def _board(size: int) -> np.ndarray:
    """The empty grid with its labels."""
    left, top, side, thick = _layout(size)
    frame = canvas.blank(size, size)
    grid = _offset(SIDE - 1, size) + side + thick
    canvas.fill(frame, left, top, left + grid, top + grid, INK)
    step = 3 * side + 2 * _thin(thick)
    for row in range(3):
        for column in range(3):
            x, y = corner(row * 27 + column * 3, size)
            canvas.fill(frame, x, y, x + step, y + step, THIN_LINE)
    for cell in range(CELLS):
        x, y = corner(cell, size)
        canvas.fill(frame, x, y, x + side, y + side, WHITE)
    letter = max(9 if side > 5 else 8, round(size * 0.048))
    label = canvas.label if side >= SMALL else canvas.tight_label
    for place in range(SIDE):
        middle = _offset(place, size) + side // 2
        number = label(COLUMN_NUMBERS[place], letter, INK, PAPER, letter > 9)
        canvas.paste(frame, number, left + middle, top // 2, "c")
        name = label(ROW_LETTERS[place], letter, INK, PAPER, letter > 9)
        canvas.paste(frame, name, left // 2, top + middle, "c")
    return frame


@canvas.kept(512)
def _cell(side: int, digit: int, ink: Colour, ground: Colour, bold: bool) -> np.ndarray:
    picture = canvas.blank(side, side, ground)
    if digit:
        # Small bold digits run into blots: there the ground alone tells what is printed.
        small = side < 20
        height = max(9, round(side * (0.95 if small else 0.72)))
        if side < TINY:
            canvas.paste(picture, canvas.tiny_label(str(digit), ink, ground), side // 2, side // 2, "c")
        elif side < SMALL:
            canvas.paste(picture, canvas.tight_label(str(digit), height, ink, ground), side // 2, side // 2, "c")
        else:
            letters = canvas.label(str(digit), height, ink, ground, bold and not small)
            canvas.paste(picture, letters, (side + 1) // 2, (side + 1) // 2, "c")
    return picture


# A cell's kind is its digit, plus one of these.
_WRITTEN, _PRINTED, _LAST, _STUCK = 0, 10, 20, 30
_LOOKS = {_WRITTEN: (BLUE, WHITE, False), _PRINTED: (INK, PRINTED_GROUND, True),
          _LAST: (BLUE, LAST_MOVE, False), _STUCK: (INK, STUCK, False)}  # fmt: skip


@lru_cache(maxsize=32)
def _mosaic(size: int) -> canvas.Mosaic:
    side = _layout(size)[2]

    def tile(cell: int, kind: int) -> canvas.Tile:
        return _cell(side, kind % 10, *_LOOKS[kind - kind % 10]), *corner(cell, size)

    return canvas.Mosaic(_board(size), [EMPTY] * CELLS, tile)


@lru_cache(maxsize=8)
def _printed(puzzle: Grid) -> tuple[int, ...]:
    """What to add to each cell: printed digits stay through a whole episode."""
    return tuple(_PRINTED if digit else 0 for digit in puzzle)


shows = all_but_the_seat


def draw(view: SudokuView, size: int = 512) -> np.ndarray:
    kinds = list(map(add, view.cells, _printed(view.puzzle)))
    if view.last is not None:
        kinds[view.last] = view.cells[view.last] + _LAST
    if view.mover is None:
        for cell in blocked(view.cells):
            kinds[cell] = EMPTY + _STUCK
    return _mosaic(size).draw(kinds)


def regions(view: SudokuView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """A click on a cell; the digit is chosen by name."""
    side = _layout(size)[2]
    at = {action: corner(action // SIDE, size) for action in names(view)}
    return {action: ((x, y, x + side, y + side),) for action, (x, y) in at.items()}


def features(view: SudokuView) -> np.ndarray:
    """For each cell its digit, one of nine; then which digits are printed."""
    out = np.zeros(CELLS * (SIDE + 1), np.float32)
    grid = np.array(view.cells)
    filled = np.flatnonzero(grid)
    out[filled * SIDE + grid[filled] - 1] = 1
    out[CELLS * SIDE :] = np.array(view.puzzle) != EMPTY
    return out


def planes(view: SudokuView) -> np.ndarray:
    """A sheet for each digit, and one of the printed cells."""
    flat = features(view)
    digits = np.moveaxis(flat[: CELLS * SIDE].reshape(SIDE, SIDE, SIDE), 2, 0)
    return np.concatenate([digits, flat[CELLS * SIDE :].reshape(1, SIDE, SIDE)])
