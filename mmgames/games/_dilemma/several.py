"""Pictures of dilemmas of three to eight players: shapes on the grid, and a table with a line for each player.

What shares a cell is drawn small, side by side.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, LINE, PAPER, WHITE
from mmgames.games._dilemma.layout import BOLD_FROM, inside, layout, letters
from mmgames.games._dilemma.rules import KINDS
from mmgames.games._dilemma.setup import MOST_PLAYERS, Setup
from mmgames.games._dilemma.tokens import player
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.sprites import NOTHING, Sprite, SpriteSheet, centred, put

COLUMNS = (0.752, 0.850, 0.946)  # one for each kind of event
Icon = tuple[Any, ...]
"""A paint and its details."""


class SeveralLook(NamedTuple):
    """How a dilemma of several looks: its things, by the number of players, and an icon for each kind of event."""

    things: Callable[[int], tuple[Icon, ...]]
    kinds: tuple[Icon, Icon, Icon]


# The numbers that `place` gets: where the grid is, how large a cell and what is in it are, the columns of the
# table, its first line and how high lines are.
LEFT, TOP, CELL, INNER, FIRST_COLUMN, LINE_TOP, LINE_HEIGHT = 0, 1, 2, 3, 4, 7, 8


@inlined
def token(state, which):
    """The cell of a player, or of a thing."""
    return state.at[which] if which < len(state.at) else state.things[which - len(state.at)]


@kernel
def place(state, layout, out):
    """Everybody and everything, alone in its cell or side by side with others, and then the counts."""
    players, side, tokens = len(state.at), state.side, len(state.at) + len(state.things)
    slot = put(out, 0, NOTHING, 0, 0)
    for which in range(tokens):
        at, crowd, rank = token(state, which), 0, 0
        for other in range(tokens):
            if token(state, other) == at:
                crowd += 1
                rank += other < which
        parts = 1 if crowd == 1 else 2 if crowd <= 4 else 3
        part = layout[INNER] // parts
        x = layout[LEFT] + at % side * layout[CELL] + rank % parts * part
        y = layout[TOP] + (side - 1 - at // side) * layout[CELL] + rank // parts * part
        slot = put(out, slot, (parts - 1) * tokens + which, x, y)
    for kind in range(KINDS):
        for seat in range(players):
            middle = layout[LINE_TOP] + (2 * seat + 1) * layout[LINE_HEIGHT] // 2
            slot = put(out, slot, 3 * tokens + state.happened[kind, seat], layout[FIRST_COLUMN + kind], middle)


def sheet(size: int, setup: Setup, look: SeveralLook, ground: np.ndarray) -> SpriteSheet:
    """What pictures of a size and setup are made of; `ground` is the empty grid."""
    _, height, cell, left, top = layout(size, setup.side)
    pad, inner = inside(cell)
    tokens = (*(player(seat) for seat in range(setup.players)), *look.things(setup.players))
    line_top = height * 29 // 100
    line = (height - line_top) * 24 // (25 * max(setup.players, 5))
    columns = [int(size * share) for share in COLUMNS]
    _table(ground, size, setup, look, columns, line_top, line)
    counts = 3 * len(tokens)
    most = setup.horizon * MOST_PLAYERS  # nobody meets, eats or takes more in a step

    def paint(code: int) -> Sprite:
        if code >= counts:
            return centred(_figure(code - counts, size, line))
        parts, which = divmod(code, len(tokens))
        wide = max(1, inner // (parts + 1))
        return Sprite(canvas.stamp(tokens[which][0], wide, wide, WHITE, *tokens[which][1:]))

    where = np.array([left + pad + 1, top + pad + 1, cell, inner, *columns, line_top, line])
    slots = 1 + len(tokens) + KINDS * setup.players
    return SpriteSheet(ground, place, slots, counts + most + 1, paint, where)


def _figure(count: int, size: int, line: int) -> np.ndarray:
    shown = str(count)
    high = min(letters(size, shown), max(4, line * 3 // 4))
    return canvas.label(shown, high, INK if count else FAINT, PAPER, bool(count) and size >= BOLD_FROM)


def _table(
    frame: np.ndarray, size: int, setup: Setup, look: SeveralLook, columns: list[int], top: int, line: int
) -> None:
    """Paint all of the table but the counts: icons and payoffs at its head, a line for each player."""
    height, width, _ = frame.shape
    icon, thin = max(1, size // 13), max(1, size // 256)
    for x, (paint, *details), pay in zip(columns, look.kinds, setup.pays, strict=True):
        canvas.paste(frame, canvas.stamp(paint, icon, icon, PAPER, *details), x, height // 10, "c")
        shown = f"{pay:+d}" if pay else "0"
        label = canvas.label(shown, letters(size, shown), INK if pay else FAINT, PAPER, size >= BOLD_FROM)
        canvas.paste(frame, label, x, height * 23 // 100, "c")
    for seat in range(setup.players):
        y = top + seat * line
        canvas.fill(frame, int(size * 0.645), y, width - size // 60, y + thin, LINE)
        wide = max(1, line * 4 // 5)
        paint, *details = player(seat)
        canvas.paste(frame, canvas.stamp(paint, wide, wide, PAPER, *details), int(size * 0.67), y + line // 2, "c")
