"""Reversi as a picture and as features."""

from functools import lru_cache

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLACK as SOOT
from mmgames.drawing.canvas import GOLD, INK, PAPER, Colour, Paint, Pen, mix
from mmgames.drawing.canvas import WHITE as CHALK
from mmgames.games.reversi.rules import KERNEL, PASS, ReversiView, board_state
from mmgames.games.reversi.words import COLUMN_NUMBERS, ROW_LETTERS, names
from mmgames.kernels.bitboard import BLACK, CELLS, EMPTY, ONE, SIDE, WHITE
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import features_and_planes
from mmgames.kernels.sprites import NOTHING, board_sprites, put

FELT: Colour = (74, 143, 100)
SEAM: Colour = (36, 84, 56)
LAST_MOVE = mix(FELT, GOLD, 0.8)


def disc(pen: Pen, which: str) -> None:
    """A thick disc lit from the top left, its other colour showing as a rim below."""
    face, back = (SOOT, mix(CHALK, INK, 0.2)) if which == BLACK else (CHALK, INK)
    shine = mix(face, CHALK, 0.45) if which == BLACK else mix(face, INK, 0.22)
    pen.disc(0.5, 0.535, 0.385, back)
    pen.disc(0.5, 0.49, 0.385, face)
    if which == BLACK:
        pen.arc(0.5, 0.49, 0.3, 190, 260, shine, 0.05)
    else:
        pen.arc(0.5, 0.49, 0.3, 10, 80, shine, 0.05)


@lru_cache(maxsize=32)
def _layout(size: int) -> tuple[int, int, int]:
    """Left and top of the cells, which are equal, the side of a cell, and how much of it is the seam before it."""
    margin = max(10, round(size * 0.065))
    seam = max(1, size // 200)
    side = (size - margin - 2 * seam) // SIDE
    return size - 2 * seam - SIDE * side, side, seam


def corner(cell: int, size: int) -> tuple[int, int]:
    """The top left pixel of a cell, where the seams to its left and above it begin."""
    start, side, _ = _layout(size)
    return start + cell % SIDE * side, start + cell // SIDE * side


@canvas.kept(32)
def _board(size: int) -> np.ndarray:
    """The empty board with its labels."""
    start, side, seam = _layout(size)
    frame = canvas.blank(size, size)
    canvas.fill(frame, start - seam, start - seam, size, size, SEAM)
    for cell in range(CELLS):
        x, y = corner(cell, size)
        canvas.fill(frame, x + seam, y + seam, x + side, y + side, FELT)
    letter = min(max(10, round(size * 0.045)), round(side * 0.8))
    for place in range(SIDE):
        middle = (seam + side) // 2 + place * side
        for text, x, y in ((COLUMN_NUMBERS, start + middle, start // 2), (ROW_LETTERS, start // 2, start + middle)):
            canvas.paste(frame, canvas.label(text[place], letter, INK, PAPER, letter > 10), x, y, "c")
    reach = side // 8
    dot = canvas.stamp(_dot, 2 * reach + seam, 2 * reach + seam, FELT)
    for row, column in ((2, 2), (2, 6), (6, 2), (6, 6)):
        x, y = corner(row * SIDE + column, size)
        patch = frame[y - reach : y + reach + seam, x - reach : x + reach + seam]
        np.minimum(patch, dot, out=patch)
    return frame


def _dot(pen: Pen) -> None:
    pen.disc(0.5, 0.5, 0.5, SEAM)


@lru_cache(maxsize=32)
def _mosaic(size: int, piece: Paint = disc) -> canvas.Mosaic:
    ground, (_, side, seam) = _board(size), _layout(size)

    def tile(cell: int, kind: str) -> canvas.Tile:
        """The inside of a cell; the one of the last move has a capital letter."""
        x, y = corner(cell, size)
        felt = ground[y + seam : y + side, x + seam : x + side]
        if kind == EMPTY:
            return felt, x + seam, y + seam
        if kind.isupper():
            return canvas.stamp(piece, side - seam, side - seam, LAST_MOVE, kind.lower()), x + seam, y + seam
        # A disc leaves the rim of its cell bare, where the dots of the board may be.
        rim = (side - seam) // 14
        stone = felt.copy()
        middle = slice(rim, side - seam - rim)
        stone[middle, middle] = canvas.stamp(piece, side - seam, side - seam, FELT, kind)[middle, middle]
        return stone, x + seam, y + seam

    return canvas.Mosaic(ground, EMPTY * CELLS, tile)


shows = all_but_the_seat


def draw(view: ReversiView, size: int = 512, piece: Paint = disc) -> np.ndarray:
    kinds = list(view.cells)
    if view.last is not None and view.last != PASS:
        kinds[view.last] = kinds[view.last].upper()
    return _mosaic(size, piece).draw(kinds)


def regions(view: ReversiView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """A click on a cell puts a disc there; a pass is nowhere in the picture."""
    side = _layout(size)[1]
    cells = [action for action in names(view) if action < CELLS]
    return {cell: ((x, y, x + side, y + side),) for cell in cells for x, y in (corner(cell, size),)}


features, planes = features_and_planes(KERNEL, lambda view: board_state(view.cells, view.mover))
KINDS = (BLACK, WHITE, BLACK.upper(), WHITE.upper())


@kernel
def place(state, layout, out):
    """A disc for each that `draw` shows."""
    black, white = state.pieces[0], state.pieces[1]
    put(out, 0, NOTHING, 0, 0)
    for cell in range(CELLS):
        bit = ONE << np.uint64(cell)
        disc = cell * 4 + (0 if black & bit else 1) + 2 * (state.last == cell)
        put(out, 1 + cell, disc if (black | white) & bit else NOTHING, 0, 0)


sprites = board_sprites(_mosaic, CELLS, KINDS, place)
