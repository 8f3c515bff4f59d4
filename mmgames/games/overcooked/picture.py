"""Overcooked as a picture and as features: the kitchen from above on the left, how things stand on the right.

The right side shows the step, the points, what each chef holds, and for each paid event what it pays and how often it
has happened. A strip below the kitchen names the stations. Small pictures leave out the strip, tiny ones show the
kitchen alone.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, GREEN, INK, LINE, PAPER
from mmgames.games.overcooked import icons
from mmgames.games.overcooked.layouts import (
    COUNTER,
    DISHES,
    HATCH,
    KITCHENS,
    OFFSETS,
    ONIONS,
    POT,
    POT_AT,
    POTS,
    UP,
    WIDE,
)
from mmgames.games.overcooked.rules import (
    CHEFS,
    EVENTS,
    FULL,
    IDLE,
    INTERACT,
    NOTHING,
    NUM_FEATURES,
    NUM_PLANES,
    PAYS,
    SOUP,
    OvercookedView,
)
from mmgames.games.overcooked.rules import features as write_features
from mmgames.games.overcooked.rules import planes as write_planes
from mmgames.games.overcooked.words import names
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState
from mmgames.kernels.sprites import NOTHING as EMPTY_SLOT
from mmgames.kernels.sprites import Sprite, SpriteSheet, beside, centred, put

NAMED_FROM = 384  # smaller pictures have no room for words,
BOLD_FROM = 256  # nor for bold figures and lines,
TOLD_FROM = 96  # nor for anything beside the kitchen
NAMES = {ONIONS: "onions", DISHES: "dishes", POT: "pot", HATCH: "serve", COUNTER: "counter"}


class FloorPlan(NamedTuple):
    """Where things lie in a picture of a size and kitchen."""

    height: int
    cell: int
    left: int
    top: int
    legend: int  # height of the strip that names the stations
    panel: int  # left edge of the right side
    row: int  # height of one line there


@lru_cache(maxsize=64)
def _plan(size: int, layout: int) -> FloorPlan:
    kitchen = KITCHENS[layout]
    margin = max(1, size // 64)
    panel = size - int(size * 0.29) if size >= TOLD_FROM else size
    cell = (panel - 2 * margin) // kitchen.width
    legend = size // 16 if size >= NAMED_FROM else 0
    height = max(kitchen.height * cell + legend + 2 * margin, size * 5 // 8 if size >= TOLD_FROM else 0)
    left = margin + (panel - 2 * margin - kitchen.width * cell) // 2
    top = (height - legend - kitchen.height * cell) // 2
    return FloorPlan(height, cell, left, top, legend, panel, (height - 2 * margin) // (3 + len(EVENTS)))


def _line(plan: FloorPlan, number: int) -> int:
    """The middle of a line on the right side."""
    return (plan.height - (3 + len(EVENTS)) * plan.row) // 2 + number * plan.row + plan.row // 2


def _letters(size: int) -> int:
    return max(8, size // 24)


def _column(plan: FloorPlan, size: int, share: float) -> int:
    return plan.panel + int((size - plan.panel) * share)


@canvas.kept(64)
def _background(size: int, layout: int, counting: int) -> np.ndarray:
    """The empty kitchen and all on the right side that does not change."""
    plan, kitchen = _plan(size, layout), KITCHENS[layout]
    frame = canvas.blank(size, plan.height)
    cell = plan.cell
    for y in range(kitchen.height):
        for x in range(kitchen.width):
            kind = kitchen.terrain[y * WIDE + x]
            tile = (icons.pot, 0, IDLE, 1) if kind == POT else (icons.STATIONS[kind],)
            stamp = canvas.stamp(tile[0], cell, cell, PAPER, *tile[1:])
            canvas.paste(frame, stamp, plan.left + x * cell, plan.top + y * cell)
    if plan.legend:
        _name_stations(frame, plan, size)
    if size >= TOLD_FROM:
        _tell(frame, plan, size, counting)
    return frame


def _tell(frame: np.ndarray, plan: FloorPlan, size: int, counting: int) -> None:
    """The right side without its figures."""
    side = min(plan.row * 3 // 4, size // 10)
    small = max(6, side * 3 // 4)
    for number, paint in enumerate((icons.clock_face, icons.star)):
        stamp = canvas.stamp(paint, small, small, PAPER)
        canvas.paste(frame, stamp, _column(plan, size, 0.14), _line(plan, number), "c")
    for seat in CHEFS:
        stamp = canvas.stamp(icons.chef, side, side, PAPER, seat, UP, NOTHING)
        canvas.paste(frame, stamp, _column(plan, size, 0.14 + 0.48 * seat), _line(plan, 2), "c")
    thin = max(1, size // 256)
    for event in range(len(EVENTS)):
        middle = _line(plan, 3 + event)
        above = middle - plan.row // 2
        if size >= BOLD_FROM:
            canvas.fill(frame, plan.panel + size // 60, above, size - size // 60, above + thin, LINE)
        stamp = canvas.stamp(icons.event_icon, side, side, PAPER, event)
        canvas.paste(frame, stamp, _column(plan, size, 0.17), middle, "c")
        pays = canvas.label(f"+{PAYS[counting, event]}", _letters(size), GREEN, PAPER)
        canvas.paste(frame, pays, _column(plan, size, 0.52), middle, "c")


def _name_stations(frame: np.ndarray, plan: FloorPlan, size: int) -> None:
    """The strip below the kitchen: each station, small, and its name."""
    middle = plan.height - plan.legend // 2 - max(1, size // 128)
    letters, side = max(9, size // 38), plan.legend * 2 // 3
    words = [canvas.label(NAMES[kind], letters, INK, PAPER) for kind in NAMES]
    gap = size // 128
    spare = plan.panel - size // 50 - sum(side + gap + word.shape[1] for word in words)
    x = size // 64
    for kind, word in zip(NAMES, words, strict=True):
        tile = (icons.pot, 0, IDLE, 1) if kind == POT else (icons.STATIONS[kind],)
        canvas.paste(frame, canvas.stamp(tile[0], side, side, PAPER, *tile[1:]), x, middle, "w")
        canvas.paste(frame, word, x + side + gap, middle, "w")
        x += side + gap + word.shape[1] + spare // len(words)


def shows(view: OvercookedView) -> RecordState:
    """All there is to see, whoever looks."""
    return view.state


def draw(view: OvercookedView, size: int = 512) -> np.ndarray:
    return _sheet_of(size, view.state).draw_one(view.state)


def regions(view: OvercookedView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """The tiles around the own chef, to go or turn that way, and the chef, to interact with what is before it."""
    if view.seat is None or not names(view):
        return {}
    plan, at = _plan(size, view.state.layout), view.state.at[view.seat]
    found: dict[int, tuple[Box, ...]] = {}
    for action, (right, down) in [*enumerate(OFFSETS), (INTERACT, (0, 0))]:  # chefs never stand at the edge
        x, y = plan.left + (at % WIDE + right) * plan.cell, plan.top + (at // WIDE + down) * plan.cell
        found[action] = ((x, y, x + plan.cell, y + plan.cell),)
    return found


def features(view: OvercookedView) -> np.ndarray:
    """What the kernel writes for the seat; a spectator looks with chef 0's eyes."""
    out = np.empty(NUM_FEATURES, np.float32)
    ask(write_features, view.state, view.seat or 0, out)
    return out


def planes(view: OvercookedView) -> np.ndarray:
    """What the kernel writes for the seat; a spectator looks with chef 0's eyes."""
    out = np.empty((NUM_PLANES, view.kitchen.height, view.kitchen.width), np.float32)
    ask(write_planes, view.state, view.seat or 0, out)
    return out


# Codes of sprites: what lies on counters, chefs, what they hold as the right side shows it, pots, and then the figures:
# steps, and by turns points and counts.
ITEMS, WAYS = SOUP + 1, len(OFFSETS)
CHEFS_FROM = ITEMS
HELD_FROM = CHEFS_FROM + 2 * WAYS * ITEMS
POTS_FROM = HELD_FROM + ITEMS
# The layout, then the middles of the lines on the right side and the cells of the counters.
LEFT_EDGE, TOP_EDGE, CELL_SIDE, STEPS_FROM, FIGURES_FROM, FIGURE_X, COUNT_X, HELD_X = range(8)
LINES_FROM = HELD_X + 2
LINES = 3 + len(EVENTS)


@kernel
def put_on_tile(layout, cell, code, out, slot):
    x = layout[LEFT_EDGE] + cell % WIDE * layout[CELL_SIDE]
    return put(out, slot, code, x, layout[TOP_EDGE] + cell // WIDE * layout[CELL_SIDE])


@kernel
def place(state, layout, out):
    """Pots, counters, chefs; then the figures of the right side, if there is one."""
    slot = put(out, 0, EMPTY_SLOT, 0, 0)
    for pot in range(POTS[state.layout]):
        onions = state.onions[pot]
        code = POTS_FROM + (onions - 1) * (state.cook_time + 2) + state.clock[pot] - IDLE
        slot = put_on_tile(layout, POT_AT[state.layout, pot], code if onions else EMPTY_SLOT, out, slot)
    for counter in range(layout.size - LINES_FROM - LINES):
        item = state.lies[counter]
        cell = layout[LINES_FROM + LINES + counter]
        slot = put_on_tile(layout, cell, EMPTY_SLOT if item == NOTHING else item, out, slot)
    for chef in CHEFS:
        code = CHEFS_FROM + (chef * WAYS + state.facing[chef]) * ITEMS + state.holds[chef]
        slot = put_on_tile(layout, state.at[chef], code, out, slot)
    if layout[FIGURE_X]:
        slot = put(out, slot, layout[STEPS_FROM] + state.step, layout[FIGURE_X], layout[LINES_FROM])
        slot = put(out, slot, layout[FIGURES_FROM] + 2 * state.points, layout[FIGURE_X], layout[LINES_FROM + 1])
        for chef in CHEFS:
            slot = put(out, slot, HELD_FROM + state.holds[chef], layout[HELD_X + chef], layout[LINES_FROM + 2])
        for event in range(len(EVENTS)):
            count = state.happened[0, event] + state.happened[1, event]
            code = layout[FIGURES_FROM] + 2 * count + 1
            slot = put(out, slot, code, layout[COUNT_X], layout[LINES_FROM + 3 + event])


@lru_cache(maxsize=16)
def _sheet(size: int, layout: int, counting: int, horizon: int, cook_time: int) -> SpriteSheet:
    plan, kitchen = _plan(size, layout), KITCHENS[layout]
    steps_from = POTS_FROM + FULL * (cook_time + 2)
    figures_from = steps_from + horizon + 1
    side, letters = min(plan.row * 3 // 4, size // 10), _letters(size)

    def tile(*what: Any) -> Sprite:
        return Sprite(canvas.stamp(what[0], plan.cell, plan.cell, PAPER, *what[1:]))

    def paint(code: int) -> Sprite:
        if code < CHEFS_FROM:
            return tile(icons.on, icons.counter, icons.item, code)
        if code < HELD_FROM:
            turned, holds = divmod(code - CHEFS_FROM, ITEMS)
            return tile(icons.on, icons.floor, icons.chef, turned // WAYS, turned % WAYS, holds)
        if code < POTS_FROM:
            return centred(canvas.stamp(icons.item, side, side, PAPER, code - HELD_FROM))
        if code < steps_from:
            count, clock = divmod(code - POTS_FROM, cook_time + 2)
            return tile(icons.pot, count + 1, clock + IDLE, cook_time)
        if code < figures_from:
            return beside(canvas.label(f"{code - steps_from}/{horizon}", letters, INK, PAPER))
        number, is_count = divmod(code - figures_from, 2)
        if not is_count:
            return beside(canvas.label(str(number), letters, INK, PAPER, size >= BOLD_FROM))
        colour, bold = (INK, size >= BOLD_FROM) if number else (FAINT, False)
        return centred(canvas.label(str(number), letters, colour, PAPER, bold))

    columns = [_column(plan, size, share) if size >= TOLD_FROM else 0 for share in (0.30, 0.84, 0.38, 0.38 + 0.48)]
    middles = [_line(plan, number) for number in range(LINES)]
    numbers = [plan.left, plan.top, plan.cell, steps_from, figures_from, *columns, *middles]
    figures = 2 + len(CHEFS) + len(EVENTS) if size >= TOLD_FROM else 0
    slots = 1 + len(kitchen.pots) + len(kitchen.counters) + len(CHEFS) + figures
    codes = figures_from + 2 * (2 * horizon * int(PAYS.max()) + 1)
    ground = _background(size, layout, counting)
    return SpriteSheet(ground, place, slots, codes, paint, np.array([*numbers, *kitchen.counters]))


def sprites(game: Any, size: int) -> SpriteSheet:
    return _sheet_of(size, game.kernel.blank)


def _sheet_of(size: int, state: RecordState) -> SpriteSheet:
    return _sheet(size, state.layout, state.counting, state.horizon, state.cook_time)
