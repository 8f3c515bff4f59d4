"""The pictures of the commons: what a seat sees of the map on the left, a table of what has happened on the right.

A player sees a part of the map with itself in the middle, and its own line of the table. A spectator, and players where
nothing is hidden, see the whole map and a line for everybody.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, LINE, PAPER
from mmgames.games._commons import rules as k
from mmgames.games._commons import tiles
from mmgames.games._commons.layout import TABLE, Plan, plan_of
from mmgames.games._commons.rules import CommonsView
from mmgames.games._commons.rules import features as write_features
from mmgames.games._commons.words import names
from mmgames.games._dilemma.tokens import player
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.kernel_game import ask, lay_out

COLUMNS = TABLE + 0.075  # where the columns of counts begin
BOLD_FROM = 256  # smaller pictures have no room for bold figures
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))  # as the actions from RIGHT on go


def _letters(size: int) -> int:
    return max(7, size // 28)


def draw(view: CommonsView, size: int = 512) -> np.ndarray:
    place, kinds = plan_of(view, size), len(view.kinds)
    left, bottom, columns, lines = k.window(view.state, view.seat)
    counted = [(seat, happened) for seat, happened in enumerate(view.counts) if happened[0] != k.HIDDEN]
    frame = _background(size, place, view.state.pays, kinds, tuple(seat for seat, _ in counted)).copy()
    _number(frame, size, place, left, bottom)
    for number, tile in enumerate(_tiles(view, left, bottom, columns, lines)):
        line, column = divmod(number, columns)
        stamp = canvas.stamp(tile[0], place.cell, place.cell, PAPER, *tile[1:])
        canvas.paste(frame, stamp, place.left + column * place.cell, place.top + line * place.cell)
    for number, (_, counts) in enumerate(counted):
        for kind, happened in enumerate(counts):
            shown = str(happened)
            tall = max(5, _letters(size) * 3 // max(3, len(shown)))
            label = canvas.label(shown, tall, INK if happened else FAINT, PAPER, happened > 0 and size >= BOLD_FROM)
            canvas.paste(frame, label, _column(size, kind, kinds), _line(place.height, number), "c")
    return frame


def _tiles(view: CommonsView, left: int, bottom: int, columns: int, lines: int) -> Iterator[tuple[Any, ...]]:
    """The paint, and its details, of each cell that is shown, line by line from the top."""
    state, wide, high, terrain = view.state, view.ground.wide, view.ground.high, view.ground.terrain
    apples, waste, who, facing, (fined, cleaned) = state.apples, state.waste, state.who, state.facing, state.lit
    for y in range(bottom + lines - 1, bottom - 1, -1):
        for x in range(left, left + columns):
            if not (0 <= x < wide and 0 <= y < high):
                yield tiles.plain, tiles.BEYOND
                continue
            cell = y * wide + x
            beams = tuple(beam for beam, lit in ((k.FINING, fined), (k.CLEANING, cleaned)) if lit[cell])
            seat, thing = who[cell], bool(apples[cell] or waste[cell])
            if seat == k.NO_ONE:
                yield tiles.tile, terrain[cell], thing, beams, k.NO_ONE, 0, False
            else:
                yield tiles.tile, terrain[cell], thing, beams, seat, facing[seat], seat == view.seat


def _column(size: int, kind: int, kinds: int) -> int:
    """The middle of a kind's column in the table."""
    return int(size * (COLUMNS + (1 - COLUMNS) * (kind + 0.5) / kinds))


def _line(height: int, number: int) -> int:
    """The middle of a line of the table."""
    return int(height * (0.32 + 0.085 * number))


@canvas.kept(64)
def _background(size: int, place: Plan, pays: tuple[int, ...], kinds: int, seats: tuple[int, ...]) -> np.ndarray:
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
    for number, seat in enumerate(seats):
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
    place, at, ground = plan_of(view, size), view.state.at[view.seat], view.ground
    left, bottom, _, lines = k.window(view.state, view.seat)
    found: dict[int, tuple[Box, ...]] = {}
    for action in range(k.FINE):
        way = k.LEADS[view.state.facing[view.seat], action - k.RIGHT] if view.state.ssd else action - k.RIGHT
        right, up = STEPS[way] if action != k.STAY else (0, 0)
        x, y = at % ground.wide + right, at // ground.wide + up
        if 0 <= x < ground.wide and 0 <= y < ground.high:
            across, down = place.left + (x - left) * place.cell, place.top + (bottom + lines - 1 - y) * place.cell
            found[action] = ((across, down, across + place.cell, down + place.cell),)
    return found


def features(view: CommonsView) -> np.ndarray:
    """What the kernel writes of what the seat sees; a spectator looks with the first player's eyes."""
    sheets, lines, columns = k.sheets_of(view.state)
    out = np.empty(sheets * lines * columns + k.SINGLE, np.float32)
    ask(write_features, view.state, view.seat or 0, out)
    return out


def planes(view: CommonsView) -> np.ndarray:
    sheets, lines, columns = k.sheets_of(view.state)
    out = np.empty((sheets + k.SINGLE, lines, columns), np.float32)
    compiled_in_background(lay_out)(features(view), out)
    return out
