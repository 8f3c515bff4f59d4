"""The pictures that all grid dilemmas share: the grid on the left, a table of events on the right.

Nothing in them is written out. Between two players events are shown as icons (who, what) with what they pay red and
blue and how often they have happened, so the picture stays legible at 128 pixels. Pictures of more players are in
several.py.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, FAINT, INK, LINE, PAPER, RED, WHITE, Paint, Pen, mix
from mmgames.games._dilemma import several
from mmgames.games._dilemma.layout import BOLD_FROM, inside, layout, letters, numbering
from mmgames.games._dilemma.rules import MOVED, STAY, Dilemma, DilemmaEvent, DilemmaView
from mmgames.games._dilemma.setup import Setup
from mmgames.games._dilemma.words import names
from mmgames.kernels.kernel import kernel
from mmgames.kernels.records import RecordState
from mmgames.kernels.sprites import NOTHING, Sprite, SpriteSheet, centred, put

COLOURS = (RED, BLUE)


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


class PairLook(NamedTuple):
    """How a dilemma of two looks: the paints of its things, for each event the two icons that tell it, the setup, and
    the paint of the players."""

    things: tuple[tuple[Paint, Any], ...]
    icons: tuple[tuple[tuple[Paint, Any], tuple[Paint, Any]], ...]
    events: tuple[DilemmaEvent, ...] = ()
    setup: Setup = Setup(0, 0, 0, ())
    players: Paint = player


def _with_players(icon: Any, players: Paint) -> Any:
    """An icon, or a tuple of them, with another paint of the players."""
    if icon is player:
        return players
    return tuple(_with_players(part, players) for part in icon) if isinstance(icon, tuple) else icon


def stacked(pen: Pen, pair: tuple[tuple[Paint, Any], tuple[Paint, Any]]) -> None:
    """Two smaller icons, one above the other, for events that tell of two things."""
    for (paint, detail), corner in zip(pair, ((0.22, -0.04), (0.22, 0.48)), strict=True):
        paint(pen.part(*corner, 0.56), detail)


def _row_top(event: int, events: int, height: int) -> tuple[int, int]:
    """Middle and height of an event's line in the table."""
    head = height * 2 // 15
    tall = min((height - head - height // 20) // events, height // 5)
    return head + event * tall + tall // 2, tall


def ground(size: int, side: int) -> np.ndarray:
    """The empty grid with its numbers."""
    width, height, cell, left, top = layout(size, side)
    frame = canvas.blank(width, height)
    length = cell * side
    canvas.fill(frame, left, top, left + length, top + length, WHITE)
    thin = max(1, size // 256)
    for i in range(side + 1):
        canvas.fill(frame, left, top + i * cell, left + length + thin, top + i * cell + thin, LINE)
        canvas.fill(frame, left + i * cell, top, left + i * cell + thin, top + length + thin, LINE)
    for i in range(side):
        number = canvas.label(str(i), numbering(size, side), FAINT, PAPER)
        canvas.paste(frame, number, left + i * cell + cell // 2, top + length + (height - top - length) // 2, "c")
        canvas.paste(frame, number, left // 2, top + length - i * cell - cell // 2, "c")
    return frame


@canvas.kept(32)
def _background(size: int, look: PairLook) -> np.ndarray:
    frame = ground(size, look.setup.side)
    height, width, _ = frame.shape
    x, thin = _columns(size), max(1, size // 256)
    head, tall = height // 14, height // 9
    for seat in (0, 1):
        canvas.paste(frame, canvas.stamp(look.players, tall, tall, PAPER, (seat,)), x[2 + seat], head, "c")
    canvas.paste(frame, canvas.label("#", letters(size), FAINT, PAPER), x[4], head, "c")
    for i, (event, icons) in enumerate(zip(look.events, look.icons, strict=True)):
        middle, tall = _row_top(i, len(look.events), height)
        canvas.fill(frame, x[0] - size // 40, middle - tall // 2, width - size // 60, middle - tall // 2 + thin, LINE)
        side = min(tall * 3 // 4, size // 13)
        for at, (paint, detail) in zip(x[:2], icons, strict=True):
            canvas.paste(frame, canvas.stamp(paint, side, side, PAPER, detail), at, middle, "c")
        for at, paid, colour in ((x[2], event.red, RED), (x[3], event.blue, BLUE)):
            shown = f"{paid:+d}" if paid else "0"
            picture = canvas.label(shown, letters(size, shown), colour if paid else FAINT, PAPER, size >= BOLD_FROM)
            canvas.paste(frame, picture, at, middle, "c")
    return frame


def _columns(size: int) -> tuple[int, int, int, int, int]:
    """Middles of the table's columns: who, what, red's pay, blue's pay, count."""
    return tuple(int(size * share) for share in (0.660, 0.728, 0.808, 0.884, 0.960))  # type: ignore[return-value]


def shows(view: DilemmaView) -> RecordState:
    """All there is to see, whoever looks."""
    return view.state


def figure(count: int, size: int) -> np.ndarray:
    """How often something has happened."""
    shown = str(count)
    return canvas.label(shown, letters(size, shown), INK if count else FAINT, PAPER, bool(count) and size >= BOLD_FROM)


def regions(view: DilemmaView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """The cells around the own one, for steps, and the own one, to stay; a step into a wall is nowhere to be seen."""
    side = view.setup.side
    _, _, cell, left, top = layout(size, side)
    if view.seat is None or not names(view):
        return {}
    at = view.state.at[view.seat]
    found: dict[int, tuple[Box, ...]] = {}
    for action, goal in enumerate(MOVED[side, at].tolist()):
        if goal != at or action == STAY:
            x, y = left + goal % side * cell, top + (side - 1 - goal // side) * cell
            found[action] = ((x, y, x + cell, y + cell),)
    return found


# Codes of sprites: each thing, each thing in a corner, red, blue, both players, and then the counts.
LEFT_PAD, TOP_PAD, CELL_SIDE, COUNT_X, EVENTS = range(5)  # the layout; each event: which kind, whose, and how far down


@kernel
def put_in_cell(layout, side, at, code, out, slot):
    x = layout[LEFT_PAD] + at % side * layout[CELL_SIDE]
    return put(out, slot, code, x, layout[TOP_PAD] + (side - 1 - at // side) * layout[CELL_SIDE])


@kernel
def place(state, layout, out):
    """Things in empty cells, the players, things that share a cell with a player, small in its corner; the counts."""
    red, blue, side, things = state.at[0], state.at[1], state.side, len(state.things)
    slot = put(out, 0, NOTHING, 0, 0)
    for which in range(things):
        at = state.things[which]
        slot = put_in_cell(layout, side, at, NOTHING if at in (red, blue) else which, out, slot)
    slot = put_in_cell(layout, side, red, 2 * things + (2 if red == blue else 0), out, slot)
    slot = put_in_cell(layout, side, blue, NOTHING if red == blue else 2 * things + 1, out, slot)
    for which in range(things):
        at = state.things[which]
        slot = put_in_cell(layout, side, at, things + which if at in (red, blue) else NOTHING, out, slot)
    for event in range(EVENTS, layout.size, 3):
        count = state.happened[layout[event], layout[event + 1]]
        slot = put(out, slot, 2 * things + 3 + count, layout[COUNT_X], layout[event + 2])


@lru_cache(maxsize=32)
def sheet(size: int, look: PairLook, counted: tuple[tuple[int, int], ...]) -> SpriteSheet:
    """The sprites of a dilemma's pictures; `counted` has the kind of each event and whose it is."""
    _, height, cell, left, top = layout(size, look.setup.side)
    pad, inner = inside(cell)
    things, events = len(look.things), len(look.events)
    players = ((0,), (1,), (0, 1))
    counts = 2 * things + len(players)

    def paint(code: int) -> Sprite:
        if code >= counts:
            return centred(figure(code - counts, size))
        if code >= 2 * things:
            return Sprite(canvas.stamp(look.players, inner, inner, WHITE, players[code - 2 * things]))
        side = inner if code < things else max(1, inner * 2 // 5)
        paint_thing, detail = look.things[code % things]
        return Sprite(canvas.stamp(paint_thing, side, side, WHITE, detail))

    lines = [(*which, _row_top(event, events, height)[0]) for event, which in enumerate(counted)]
    where = np.array([left + pad + 1, top + pad + 1, cell, _columns(size)[4], *sum(lines, ())])
    slots = 1 + 2 * things + 2 + events
    codes = counts + 2 * look.setup.horizon + 1
    return SpriteSheet(_background(size, look), place, slots, codes, paint, where)


def functions(kind: type[Dilemma], pair: PairLook, more: several.SeveralLook) -> tuple[Callable[..., Any], ...]:
    """What the picture of one dilemma holds beside `regions` and `shows`: draw, features, planes and sprites."""
    counted = tuple((what, seat) for _, what, seat, _, _ in kind.pair_events)

    @lru_cache(maxsize=64)
    def look_of(setup: Setup, players: Paint = player) -> PairLook:
        events, icons = kind.events_of(setup.pays), _with_players(pair.icons, players)
        return pair._replace(events=events, icons=icons, setup=setup, players=players)

    @lru_cache(maxsize=32)
    def several_sheet(size: int, setup: Setup) -> SpriteSheet:
        return several.sheet(size, setup, more, ground(size, setup.side))

    def sheet_of(size: int, setup: Setup, players: Paint = player) -> SpriteSheet:
        return sheet(size, look_of(setup, players), counted) if setup.is_pair else several_sheet(size, setup)

    def draw(view: DilemmaView, size: int = 512, players: Paint = player) -> np.ndarray:
        return sheet_of(size, view.setup, players).draw_one(view.state)

    def sprites(game: Dilemma, size: int) -> SpriteSheet:
        return sheet_of(size, game.setup)

    def features(view: DilemmaView) -> np.ndarray:
        return kind.kernel_for(view.setup).features_of(view.state, view.seat or 0)

    def planes(view: DilemmaView) -> np.ndarray:
        return kind.kernel_for(view.setup).planes_of(view.state, view.seat or 0)

    return draw, features, planes, sprites
