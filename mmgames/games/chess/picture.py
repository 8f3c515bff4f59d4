"""Chess as a picture and as features."""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import GOLD, INK, PAPER, RED, Colour, Pen, mix
from mmgames.games.chess.position import in_check
from mmgames.games.chess.rules import KERNEL, RUNNING, STALEMATE, ChessView, cell_of, checked_king, from_fen, placement
from mmgames.games.chess.tables import CELLS, FROM, NOWHERE, SIDE, TO
from mmgames.games.chess.tables import PIECES as LETTERS
from mmgames.games.chess.words import FILES, RANKS, names
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import features_and_planes
from mmgames.kernels.records import RecordState
from mmgames.kernels.sprites import NOTHING, board_sprites, put

IVORY: Colour = (255, 253, 244)
EBONY: Colour = (46, 45, 50)
OUTLINE: Colour = (22, 21, 25)
PALE: Colour = mix(EBONY, IVORY, 0.86)


class Shape(NamedTuple):
    """The polygons and discs of a silhouette, then lines and dots drawn on it."""

    polygons: list[Any]
    discs: list[Any]
    lines: list[Any]
    dots: list[Any]


def _shape(parts: Mapping[str, Any]) -> Shape:
    """A shape as the file has it: `halves` are the left halves, top to bottom, of what is the same on both sides."""
    halves = [[*half, *([1 - x, y] for x, y in reversed(half))] for half in parts.get("halves", ())]
    rest = (parts.get(name, []) for name in ("discs", "lines", "dots"))
    return Shape([*halves, *parts.get("whole", ())], *rest)


_FILE = json.loads(files(__package__).joinpath("pieces.json").read_text("utf-8"))
SHAPES = [_shape(parts) for parts in _FILE["fine"].values()]
"""From the pawn to the king."""
SMALL_SHAPES = [_shape(parts) for parts in {**_FILE["fine"], **_FILE["coarse"]}.values()]
"""Where there is little room some are plainer and coarser."""


def piece(pen: Pen, code: int, fine: bool) -> None:
    """A chessman, white for codes from 1, black for codes below 0; `fine` draws the details that need room.

    The six silhouettes, drawn for this package, stay apart from each other down to a dozen pixels. Each is a list of
    parts in unit coordinates (pieces.json). It is drawn twice, a little larger in the colour of the outline and then in
    the colour of the piece, and gets a few lines of detail.
    """
    polygons, discs, lines, dots = (SHAPES if fine else SMALL_SHAPES)[abs(code) - 1]
    body, detail = (IVORY, OUTLINE) if code > 0 else (EBONY, PALE)
    edge = 0.026 if fine else 0.045 if code > 0 else 0.01
    for points in polygons:
        pen.polygon(points, OUTLINE)
        pen.line((*points, points[0], points[1]), OUTLINE, 2 * edge)
    for x, y, r in discs:
        pen.disc(x, y, r + edge, OUTLINE)
    for points in polygons:
        pen.polygon(points, body)
    for x, y, r in discs:
        pen.disc(x, y, r, body)
    if fine:
        for points in lines:
            pen.line(points, detail, 0.028)
        for x, y, r in dots:
            pen.disc(x, y, r, detail)


SQUARES: tuple[Colour, Colour] = ((233, 217, 188), (184, 147, 106))  # light, dark
LAST_MOVE = tuple(mix(square, GOLD, share) for square, share in zip(SQUARES, (0.55, 0.7), strict=True))
CHECK = tuple(mix(square, RED, 0.65) for square in SQUARES)
FINE = 24  # pixels of a square from which on pieces have details
CLOSE = 10  # pixels of a square below which the numbers of the ranks come close to each other


@lru_cache(maxsize=32)
def _layout(size: int) -> tuple[int, int, int]:
    """Left and top of the board and the side of a square. Rank numbers stand on the left, file letters below."""
    edge = max(1, size // 64)
    side = (size - max(9, round(size * 0.06)) - edge) // SIDE
    return size - edge - SIDE * side, edge, side


@lru_cache(maxsize=1024)
def corner(cell: int, size: int) -> tuple[int, int]:
    """The top left pixel of a square; cells are counted row by row from a8."""
    left, top, side = _layout(size)
    return left + cell % SIDE * side, top + cell // SIDE * side


@canvas.kept(32)
def _board(size: int) -> np.ndarray:
    """The empty board with its labels."""
    left, top, side = _layout(size)
    frame = canvas.blank(size, size)
    across = SIDE * side
    line = max(1, size // 256)
    canvas.outline(frame, left - line, top - line, left + across + line, top + across + line, INK, line)
    for cell in range(CELLS):
        x, y = corner(cell, size)
        canvas.fill(frame, x, y, x + side, y + side, SQUARES[_shade(cell)])
    letter = max(9 if side >= CLOSE else 8, round(size * 0.042))
    for place in range(SIDE):
        middle = place * side + side // 2
        file = canvas.label(FILES[place], letter, INK, PAPER, letter > 9)
        canvas.paste(frame, file, left + middle, (top + across + size) // 2, "c")
        label = canvas.label if side >= CLOSE else canvas.tight_label
        rank = label(RANKS[place], letter, INK, PAPER, letter > 9)
        canvas.paste(frame, rank, left // 2, top + middle, "c")
    return frame


def _shade(cell: int) -> int:
    """0 for a light square, 1 for a dark one; a8 is light."""
    return (cell % SIDE + cell // SIDE) % 2


@lru_cache(maxsize=32)
def _mosaic(size: int) -> canvas.Mosaic:
    side = _layout(size)[2]

    def tile(cell: int, kind: tuple[int, tuple[Colour, ...]]) -> canvas.Tile:
        code, colours = kind
        ground = colours[_shade(cell)]
        if not code:
            return canvas.flat(side, side, ground), *corner(cell, size)
        return canvas.stamp(piece, side, side, ground, code, side >= FINE), *corner(cell, size)

    return canvas.Mosaic(_board(size), [(0, SQUARES)] * CELLS, tile)


_PLAIN: dict[int, tuple[int, tuple[Colour, ...]]] = {
    code: (code, SQUARES) for code in range(-len(LETTERS), len(LETTERS) + 1)
}


shows = all_but_the_seat


def draw(view: ChessView, size: int = 512) -> np.ndarray:
    codes = placement(view.fen)
    kinds = [_PLAIN[code] for code in codes]
    if view.last is not None:
        for cell in (cell_of(int(FROM[view.last])), cell_of(int(TO[view.last]))):
            kinds[cell] = codes[cell], LAST_MOVE
    over = view.mover is None and view.ending is None
    checked = None if over else checked_king(view.fen)
    if checked is not None:
        kinds[checked] = codes[checked], CHECK
    return _mosaic(size).draw(kinds)


def regions(view: ChessView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """First the piece, then the square it goes to; what a pawn becomes is chosen by name."""
    return {action: (_square(name[:2], size), _square(name[2:4], size)) for action, name in names(view).items()}


def _square(name: str, size: int) -> Box:
    (x, y), side = corner(FILES.index(name[0]) + SIDE * (SIDE - int(name[1])), size), _layout(size)[2]
    return x, y, x + side, y + side


def _state(view: ChessView) -> RecordState:
    ending = RUNNING if view.mover is not None else STALEMATE  # any ending will do
    return from_fen(view.fen).replace(times=view.times, ending=ending)


features, planes = features_and_planes(KERNEL, _state)
GROUNDS = (SQUARES, LAST_MOVE, CHECK)
PIECES = len(LETTERS)
CODES = 2 * PIECES + 1
KINDS = tuple((code, ground) for ground in GROUNDS for code in range(-PIECES, PIECES + 1))


@kernel
def place(state, layout, out):
    """A square for each that `draw` shows otherwise than empty."""
    position = state.position
    checked = position.kings[position.mover] if in_check(position) else NOWHERE
    source, target = NOWHERE, NOWHERE
    if state.last != NOWHERE:
        source, target = FROM[state.last], TO[state.last]
    put(out, 0, NOTHING, 0, 0)
    for square in range(CELLS):
        ground = 2 if square == checked else 1 if square in (source, target) else 0
        code = position.squares[square]
        cell = square ^ 56  # pictures begin with the eighth rank
        shown = (cell * len(GROUNDS) + ground) * CODES + PIECES + code
        put(out, 1 + cell, shown if code or ground else NOTHING, 0, 0)


sprites = board_sprites(_mosaic, CELLS, KINDS, place)
