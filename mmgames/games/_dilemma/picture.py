"""The picture that all grid dilemmas share: the grid on the left, the table of events on the right.

Nothing in it is written out: events are shown as icons (who, what) with what they pay red and blue and how often
they have happened, so the picture stays legible at 128 pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.rooms import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, FAINT, INK, LINE, PAPER, RED, WHITE, Paint, Pen, mix
from mmgames.games._dilemma.rules import BLUE_AT, MOVED, RED_AT, SIDE, STAY, STEPS, THINGS, DilemmaEvent, DilemmaView
from mmgames.games._dilemma.words import names
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import ROW, Kernel
from mmgames.kernels.sprites import NOTHING, Sprite, SpriteSheet, centred, put

COLOURS = (RED, BLUE)
BOLD_FROM = 256  # smaller pictures have no room for bold figures


class DilemmaLook(NamedTuple):
    """How one dilemma looks: the paints of its things and, for each event, the two icons that tell it."""

    things: tuple[tuple[Paint, Any], ...]
    icons: tuple[tuple[tuple[Paint, Any], tuple[Paint, Any]], ...]
    events: tuple[DilemmaEvent, ...]


def player(pen: Pen, seats: tuple[int, ...]) -> None:
    """A token with a face; half red, half blue when two players share a cell."""
    body = [COLOURS[seat] for seat in seats]
    pen.disc(0.5, 0.5, 0.40, mix(body[0], INK, 0.45))
    if len(body) == 1:
        pen.disc(0.5, 0.5, 0.36, body[0])
    else:
        pen.pie(0.5, 0.5, 0.36, 90, 270, body[0])
        pen.pie(0.5, 0.5, 0.36, -90, 90, body[1])
    for x in (0.38, 0.62):
        pen.disc(x, 0.43, 0.07, WHITE)
        pen.disc(x, 0.44, 0.035, INK)
    pen.arc(0.5, 0.52, 0.14, 25, 155, WHITE, 0.04)


def stacked(pen: Pen, pair: tuple[tuple[Paint, Any], tuple[Paint, Any]]) -> None:
    """Two smaller icons, one above the other, for events that tell of two things."""
    for (paint, detail), corner in zip(pair, ((0.22, -0.04), (0.22, 0.48)), strict=True):
        paint(pen.part(*corner, 0.56), detail)


def _layout(size: int) -> tuple[int, int, int, int, int]:
    """Width, height, cell side, left and top of the grid."""
    width, height = size, size * 5 // 8
    cell = int(height * 0.9) // SIDE
    return width, height, cell, height - cell * SIDE - height // 50, height // 50


def _row_top(event: int, events: int, height: int) -> tuple[int, int]:
    """Middle and height of an event's line in the table."""
    head = height * 2 // 15
    tall = min((height - head - height // 20) // events, height // 5)
    return head + event * tall + tall // 2, tall


@canvas.kept(32)
def _background(size: int, look: DilemmaLook) -> np.ndarray:
    width, height, cell, left, top = _layout(size)
    frame = canvas.blank(width, height)
    side = cell * SIDE
    canvas.fill(frame, left, top, left + side, top + side, WHITE)
    thin = max(1, size // 256)
    for i in range(SIDE + 1):
        canvas.fill(frame, left, top + i * cell, left + side + thin, top + i * cell + thin, LINE)
        canvas.fill(frame, left + i * cell, top, left + i * cell + thin, top + side + thin, LINE)
    letter = max(8, size // 28)
    for i in range(SIDE):
        number = canvas.label(str(i), letter, FAINT, PAPER)
        canvas.paste(frame, number, left + i * cell + cell // 2, top + side + (height - top - side) // 2, "c")
        canvas.paste(frame, number, left // 2, top + side - i * cell - cell // 2, "c")
    x = _columns(size)
    head, tall = height // 14, height // 9
    for seat in (0, 1):
        canvas.paste(frame, canvas.stamp(player, tall, tall, PAPER, (seat,)), x[2 + seat], head, "c")
    canvas.paste(frame, canvas.label("#", _letters(size), FAINT, PAPER), x[4], head, "c")
    for i, (event, icons) in enumerate(zip(look.events, look.icons, strict=True)):
        middle, tall = _row_top(i, len(look.events), height)
        canvas.fill(frame, x[0] - size // 40, middle - tall // 2, width - size // 60, middle - tall // 2 + thin, LINE)
        side = min(tall * 3 // 4, size // 13)
        for at, (paint, detail) in zip(x[:2], icons, strict=True):
            canvas.paste(frame, canvas.stamp(paint, side, side, PAPER, detail), at, middle, "c")
        for at, paid, colour in ((x[2], event.red, RED), (x[3], event.blue, BLUE)):
            shown = f"{paid:+d}" if paid else "0"
            picture = canvas.label(shown, _letters(size), colour if paid else FAINT, PAPER, size >= BOLD_FROM)
            canvas.paste(frame, picture, at, middle, "c")
    return frame


def _letters(size: int) -> int:
    return max(8, size // 22)


def _columns(size: int) -> tuple[int, int, int, int, int]:
    """Middles of the table's columns: who, what, red's pay, blue's pay, count."""
    return tuple(int(size * share) for share in (0.660, 0.728, 0.808, 0.884, 0.960))  # type: ignore[return-value]


def shows(view: DilemmaView) -> tuple[int, ...]:
    """All there is to see, whoever looks."""
    return view.row


def draw(view: DilemmaView, size: int, look: DilemmaLook) -> np.ndarray:
    _, height, cell, left, top = _layout(size)
    frame = _background(size, look).copy()
    row = view.row
    pad = max(1, cell // 16)
    inner = cell - 2 * pad
    things = len(look.things)

    def put(at: int, paint: Paint, detail: Any, side: int, corner: bool = False) -> None:
        x = left + (at % SIDE) * cell + pad + 1
        y = top + (SIDE - 1 - at // SIDE) * cell + pad + 1
        if not corner:
            x, y = x + (inner - side) // 2, y + (inner - side) // 2
        canvas.paste(frame, canvas.stamp(paint, side, side, WHITE, detail), x, y)

    red, blue = row[RED_AT], row[BLUE_AT]
    for (paint, detail), at in zip(look.things, row[THINGS : THINGS + things], strict=True):
        if at not in (red, blue):
            put(at, paint, detail, inner)
    for at, seats in ((red, (0, 1)),) if red == blue else ((red, (0,)), (blue, (1,))):
        put(at, player, seats, inner)
    # A thing that shares its cell with a player is shown small in the cell's corner.
    for (paint, detail), at in zip(look.things, row[THINGS : THINGS + things], strict=True):
        if at in (red, blue):
            put(at, paint, detail, inner * 2 // 5, corner=True)
    x = _columns(size)[4]
    for i, count in enumerate(row[THINGS + things :]):
        middle = _row_top(i, len(look.events), height)[0]
        picture = canvas.label(
            str(count), _letters(size), INK if count else FAINT, PAPER, bool(count) and size >= BOLD_FROM
        )
        canvas.paste(frame, picture, x, middle, "c")
    return frame


def regions(view: DilemmaView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """The cells around the own one, for steps, and the own one, to stay; a step into a wall is nowhere to be seen."""
    _, _, cell, left, top = _layout(size)
    if view.seat is None or not names(view):
        return {}
    at = view.row[(RED_AT, BLUE_AT)[view.seat]]
    found: dict[int, tuple[Box, ...]] = {}
    for action, goal in enumerate(MOVED[at].tolist()):
        if goal != at or action == STAY:
            x, y = left + goal % SIDE * cell, top + (SIDE - 1 - goal // SIDE) * cell
            found[action] = ((x, y, x + cell, y + cell),)
    return found


# Pictures in batches. Codes: each thing, each thing in a corner, red, blue, both players, and then the counts.
LEFT_PAD, TOP_PAD, CELL_SIDE, KINDS, COUNTS, COUNT_X, COUNT_Y = range(7)  # the layout; COUNT_Y for each event


@kernel
def put_in_cell(layout, at, code, out, slot):
    x = layout[LEFT_PAD] + at % SIDE * layout[CELL_SIDE]
    return put(out, slot, code, x, layout[TOP_PAD] + (SIDE - 1 - at // SIDE) * layout[CELL_SIDE])


@kernel
def place(row, layout, out):
    """What `draw` pastes, in its order."""
    things, red, blue = layout[KINDS], row[RED_AT], row[BLUE_AT]
    slot = put(out, 0, NOTHING, 0, 0)
    for which in range(things):
        at = row[THINGS + which]
        slot = put_in_cell(layout, at, NOTHING if at in (red, blue) else which, out, slot)
    slot = put_in_cell(layout, red, 2 * things + (2 if red == blue else 0), out, slot)
    slot = put_in_cell(layout, blue, NOTHING if red == blue else 2 * things + 1, out, slot)
    for which in range(things):
        at = row[THINGS + which]
        slot = put_in_cell(layout, at, things + which if at in (red, blue) else NOTHING, out, slot)
    for event in range(layout.size - COUNT_Y):
        count = row[THINGS + things + event]
        slot = put(out, slot, layout[COUNTS] + count, layout[COUNT_X], layout[COUNT_Y + event])


@lru_cache(maxsize=32)
def sheet(size: int, look: DilemmaLook) -> SpriteSheet:
    """The sprites of a dilemma's pictures, as `draw` stamps them."""
    _, height, cell, left, top = _layout(size)
    pad = max(1, cell // 16)
    inner, things, events = cell - 2 * pad, len(look.things), len(look.events)
    players = ((0,), (1,), (0, 1))
    counts = 2 * things + len(players)

    def paint(code: int) -> Sprite:
        if code >= counts:
            count = code - counts
            colour, bold = (INK, size >= BOLD_FROM) if count else (FAINT, False)
            return centred(canvas.label(str(count), _letters(size), colour, PAPER, bold))
        if code >= 2 * things:
            return Sprite(canvas.stamp(player, inner, inner, WHITE, players[code - 2 * things]))
        side = inner if code < things else inner * 2 // 5
        paint_thing, detail = look.things[code % things]
        return Sprite(canvas.stamp(paint_thing, side, side, WHITE, detail))

    middles = [_row_top(event, events, height)[0] for event in range(events)]
    layout = np.array([left + pad + 1, top + pad + 1, cell, things, counts, _columns(size)[4], *middles])
    slots = 1 + 2 * things + 2 + events
    return SpriteSheet(_background(size, look), place, slots, counts + 2 * STEPS + 1, paint, layout)


def functions(look: DilemmaLook, kernel: Kernel) -> tuple[Callable[..., Any], ...]:
    """What the picture of one dilemma holds beside `regions` and `shows`: draw, features, planes and sprites."""

    def seen(view: DilemmaView) -> tuple[np.ndarray, int]:
        return np.array(view.row, ROW), view.seat or 0

    return (
        lambda view, size=512: draw(view, size, look),
        lambda view: kernel.features_of(*seen(view)),
        lambda view: kernel.planes_of(*seen(view)),
        lambda game, size: sheet(size, look),
    )
