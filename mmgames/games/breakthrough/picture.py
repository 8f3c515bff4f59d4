"""Breakthrough as a picture and as features."""

from functools import lru_cache

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLACK as SOOT
from mmgames.drawing.canvas import GOLD, INK, PAPER, Colour, Paint, Pen, mix
from mmgames.drawing.canvas import WHITE as CHALK
from mmgames.games.breakthrough.rules import KERNEL, NUM_WAYS, STEPS, BreakthroughView, board_state, ends
from mmgames.games.breakthrough.words import FILES, RANKS, names
from mmgames.kernels.bitboard import BLACK, CELLS, EMPTY, NO_MOVE, ONE, SIDE, WHITE
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import features_and_planes
from mmgames.kernels.sprites import NOTHING, board_sprites, put

LIGHT: Colour = (222, 230, 224)
DARK: Colour = (158, 182, 170)
LAST_MOVE = (mix(LIGHT, GOLD, 0.6), mix(DARK, GOLD, 0.75))
SQUARES = (LIGHT, DARK)


def piece(pen: Pen, which: str) -> None:
    """A stone with an arrowhead that points where it goes: black down, white up."""
    body, mark, way = (SOOT, mix(SOOT, CHALK, 0.75), 1) if which == BLACK else (CHALK, INK, -1)
    pen.disc(0.5, 0.5, 0.4, body, INK, 0.05)
    pen.line([(0.31, 0.5 - way * 0.1), (0.5, 0.5 + way * 0.12), (0.69, 0.5 - way * 0.1)], mark, 0.09)


@lru_cache(maxsize=32)
def _layout(size: int) -> tuple[int, int, int]:
    """Left and top of the board and the side of a square. Rank labels stand on the left, file labels below."""
    margin = max(9, round(size * 0.07))
    edge = max(1, size // 64)
    side = (size - margin - edge) // SIDE
    return size - edge - SIDE * side, edge, side


def corner(cell: int, size: int) -> tuple[int, int]:
    """The top left pixel of a square."""
    left, top, side = _layout(size)
    return left + cell % SIDE * side, top + cell // SIDE * side


def ground(cell: int, last: bool) -> Colour:
    return (LAST_MOVE if last else SQUARES)[(cell % SIDE + cell // SIDE) % 2]


@canvas.kept(32)
def _board(size: int) -> np.ndarray:
    """The empty board with its labels."""
    left, top, side = _layout(size)
    frame = canvas.blank(size, size)
    # In a small picture labels are as large as their rows allow; bold letters would run together there.
    letter = min(max(10, round(size * 0.045)), round(side * 0.8))
    bold = letter > 10
    bottom = top + SIDE * side
    for cell in range(SIDE * SIDE):
        x, y = corner(cell, size)
        canvas.fill(frame, x, y, x + side, y + side, ground(cell, False))
    canvas.outline(frame, left - 1, top - 1, left + SIDE * side + 1, bottom + 1, INK, 1)
    for place in range(SIDE):
        middle = place * side + side // 2
        file, rank = (canvas.label(letters[place], letter, INK, PAPER, bold) for letters in (FILES, RANKS))
        canvas.paste(frame, file, left + middle, (bottom + size) // 2, "c")
        canvas.paste(frame, rank, left // 2, top + middle, "c")
    return frame


@lru_cache(maxsize=32)
def _mosaic(size: int, paint: Paint = piece) -> canvas.Mosaic:
    side = _layout(size)[2]

    def tile(cell: int, kind: str) -> canvas.Tile:
        """A square; those of the last move have a sign more."""
        colour = ground(cell, len(kind) > 1)
        if kind[0] == EMPTY:
            return canvas.flat(side, side, colour), *corner(cell, size)
        return canvas.stamp(paint, side, side, colour, kind[0]), *corner(cell, size)

    return canvas.Mosaic(_board(size), EMPTY * CELLS, tile)


shows = all_but_the_seat


def draw(view: BreakthroughView, size: int = 512, paint: Paint = piece) -> np.ndarray:
    kinds = list(view.cells)
    for cell in () if view.last is None else ends(view.last):
        kinds[cell] += "!"
    return _mosaic(size, paint).draw(kinds)


def regions(view: BreakthroughView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """First the piece, then the square it goes to."""
    moves = {action: ends(action) for action in names(view)}
    return {action: (_square(source, size), _square(goal, size)) for action, (source, goal) in moves.items()}


def _square(cell: int, size: int) -> Box:
    (x, y), side = corner(cell, size), _layout(size)[2]
    return x, y, x + side, y + side


features, planes = features_and_planes(KERNEL, lambda view: board_state(view.cells, view.mover))
KINDS = (EMPTY, BLACK, WHITE, EMPTY + "!", BLACK + "!", WHITE + "!")


@kernel
def place(state, layout, out):
    """A square for each that `draw` shows otherwise than empty."""
    black, white = state.pieces[0], state.pieces[1]
    source = target = -1
    if state.last != NO_MOVE:
        source = state.last // 2 // NUM_WAYS
        target = source + STEPS[state.last // 2 % NUM_WAYS]
    put(out, 0, NOTHING, 0, 0)
    for cell in range(CELLS):
        bit = ONE << np.uint64(cell)
        kind = 3 * (cell in (source, target)) + (1 if black & bit else 2 if white & bit else 0)
        put(out, 1 + cell, cell * 6 + kind if kind else NOTHING, 0, 0)


sprites = board_sprites(_mosaic, CELLS, KINDS, place)
