"""The pictures of the commons: what a seat sees of the map on the left, a table of what has happened on the right.

A player sees a part of the map with itself in the middle, and its own line of the table. A spectator, and players where
nothing is hidden, see the whole map and a line for everybody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mmgames.core.rooms import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, LINE, PAPER
from mmgames.games._commons import tiles
from mmgames.games._commons.layout import TABLE, Plan, plan_of
from mmgames.games._commons.rules import (
    AT,
    CLEAN,
    FACING,
    FINE,
    GRID,
    GROUND,
    HIDDEN,
    LIT_CLEAN,
    LIT_FINE,
    PAY,
    RIGHT,
    SHEETS,
    SINGLE,
    STAY,
    THING,
    WHO,
    WIDE,
    CommonsView,
    sheet_shape,
    window,
)
from mmgames.games._commons.rules import features as write_features
from mmgames.games._commons.words import kinds_of, names
from mmgames.games._dilemma.tokens import player
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel_game import ROW, lay_out

COLUMNS = TABLE + 0.075  # where the columns of counts begin
BOLD_FROM = 256  # smaller pictures have no room for bold figures
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))  # as the actions from RIGHT on go


def _letters(size: int) -> int:
    return max(7, size // 28)


def draw(view: CommonsView, size: int = 512) -> np.ndarray:
    row, place = view.row, plan_of(view, size)
    left, bottom, columns, lines = window(row, view.seat)
    told = tuple(seat for seat in range(len(view.roles)) if view.counts(seat)[0] != HIDDEN)
    kinds = len(kinds_of(view))
    frame = _background(size, place, row[PAY : PAY + 3], kinds, told).copy()
    _number(frame, size, place, left, bottom)
    wide, high = view.ground.wide, view.ground.high
    for line in range(lines):
        y = bottom + lines - 1 - line
        for column in range(columns):
            x = left + column
            inside = 0 <= x < wide and 0 <= y < high
            stamp = _cell(view, y * wide + x, place.cell) if inside else _plain(place.cell, tiles.BEYOND)
            canvas.paste(frame, stamp, place.left + column * place.cell, place.top + line * place.cell)
    for number, seat in enumerate(told):
        for kind, happened in enumerate(view.counts(seat)[:kinds]):
            shown = str(happened)
            tall = max(5, _letters(size) * 3 // max(3, len(shown)))
            label = canvas.label(shown, tall, INK if happened else FAINT, PAPER, happened > 0 and size >= BOLD_FROM)
            canvas.paste(frame, label, _column(size, kind, kinds), _line(place.height, number), "c")
    return frame


def _plain(side: int, colour: Any) -> np.ndarray:
    return canvas.stamp(tiles.plain, side, side, PAPER, colour)


def _cell(view: CommonsView, cell: int, side: int) -> np.ndarray:
    code = view.row[GRID + cell]
    if code == HIDDEN:
        return _plain(side, tiles.UNSEEN)
    beams = tuple(beam for beam, lit in ((FINE, LIT_FINE), (CLEAN, LIT_CLEAN)) if code & lit)
    seat = (code >> WHO) - 1
    way = view.row[FACING + seat] if seat >= 0 else 0
    mine = seat >= 0 and seat == view.seat
    return canvas.stamp(tiles.tile, side, side, PAPER, code & GROUND, bool(code & THING), beams, seat, way, mine)


def _column(size: int, kind: int, kinds: int) -> int:
    """The middle of a kind's column in the table."""
    return int(size * (COLUMNS + (1 - COLUMNS) * (kind + 0.5) / kinds))


def _line(height: int, number: int) -> int:
    """The middle of a line of the table."""
    return int(height * (0.32 + 0.085 * number))


@canvas.kept(64)
def _background(size: int, place: Plan, pays: tuple[int, ...], kinds: int, told: tuple[int, ...]) -> np.ndarray:
    """All of the table but the counts, and room for the map."""
    frame = canvas.blank(size, place.height)
    icon, thin = max(1, int(size * (1 - COLUMNS) / 5)), max(1, size // 256)
    for kind in range(kinds):
        x = _column(size, kind, kinds)
        canvas.paste(frame, canvas.stamp(tiles.ICONS[kind], icon, icon, PAPER), x, int(place.height * 0.10), "c")
        pay = pays[kind] if kind < len(pays) else 0
        shown = f"{pay:+d}" if pay else "0"
        label = canvas.label(shown, _letters(size) * 5 // 6, INK if pay else FAINT, PAPER, size >= BOLD_FROM)
        canvas.paste(frame, label, x, int(place.height * 0.21), "c")
    for number, seat in enumerate(told):
        y = _line(place.height, number)
        above = y - int(place.height * 0.0425)
        canvas.fill(frame, int(size * TABLE), above, size - size // 60, above + thin, LINE)
        wide = max(1, int(place.height * 0.075))
        paint, *details = player(seat)
        canvas.paste(frame, canvas.stamp(paint, wide, wide, PAPER, *details), int(size * (TABLE + 0.04)), y, "c")
    return frame


def _number(frame: np.ndarray, size: int, place: Plan, left: int, bottom: int) -> None:
    """The numbers of columns and rows, as many as there is room for."""
    high = max(6, min(_letters(size), place.cell))
    every = 1 if place.cell >= high * 5 // 4 else 5
    for column in range(place.columns):
        if (left + column) % every == 0:
            number = canvas.label(str(left + column), high, FAINT, PAPER)
            x = place.left + column * place.cell + place.cell // 2
            canvas.paste(frame, number, x, place.top + place.lines * place.cell + high * 5 // 8, "c")
    for line in range(place.lines):
        if (bottom + line) % every == 0:
            number = canvas.label(str(bottom + line), high, FAINT, PAPER)
            y = place.top + (place.lines - 1 - line) * place.cell + place.cell // 2
            canvas.paste(frame, number, place.left - max(1, size // 170), y, "e")


def regions(view: CommonsView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """The cells around the own one, to go there, and the own one, to stay."""
    if view.seat is None or not names(view):
        return {}
    place, at = plan_of(view, size), view.row[AT + view.seat]
    left, bottom, _, lines = window(view.row, view.seat)
    found: dict[int, tuple[Box, ...]] = {}
    for action, (right, up) in ((STAY, (0, 0)), *enumerate(STEPS, RIGHT)):
        x, y = at % view.row[WIDE] + right, at // view.row[WIDE] + up
        if 0 <= x < view.ground.wide and 0 <= y < view.ground.high:
            across, down = place.left + (x - left) * place.cell, place.top + (bottom + lines - 1 - y) * place.cell
            found[action] = ((across, down, across + place.cell, down + place.cell),)
    return found


def features(view: CommonsView) -> np.ndarray:
    """What the kernel writes of what the seat sees; a spectator looks with the first player's eyes."""
    lines, columns = sheet_shape(view.row)
    out = np.empty(view.row[SHEETS] * lines * columns + SINGLE, np.float32)
    compiled_later(write_features)(np.array(view.row, ROW), view.seat or 0, out)
    return out


def planes(view: CommonsView) -> np.ndarray:
    out = np.empty((view.row[SHEETS] + SINGLE, *sheet_shape(view.row)), np.float32)
    compiled_later(lay_out)(features(view), out)
    return out
