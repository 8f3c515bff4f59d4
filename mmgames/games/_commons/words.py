"""Words that the commons share: the map, what a seat sees of it, the beams. A game adds what grows and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from mmgames.games._commons.layout import is_legible
from mmgames.games._commons.maps import GRASS, SOIL
from mmgames.games._commons.rules import (
    ACTIONS,
    AT,
    CLEAN,
    CLEANS,
    DID,
    DOWN,
    FACING,
    FINE,
    GRID,
    GROUND,
    HIDDEN,
    HIGH,
    HORIZON,
    KINDS,
    LEFT,
    LIT_CLEAN,
    LIT_FINE,
    PAY,
    REACH,
    RIGHT,
    SHEETS,
    STAY,
    STEP,
    THING,
    UP,
    VIEW,
    WET,
    WHO,
    WIDE,
    CommonsView,
    window,
)
from mmgames.games._dilemma.words import SHAPES, listed, times

Telling = Callable[[CommonsView], str]
FACES = ("right", "left", "up", "down")
WITHOUT_CLEANING = dict(enumerate(ACTIONS[:CLEAN]))
WITH_CLEANING = dict(enumerate(ACTIONS))
NO_NAMES: dict[int, str] = {}
ALIASES = {
    "wait": STAY, "east": RIGHT, "west": LEFT, "north": UP, "south": DOWN,
    "fire": FINE, "zap": FINE, "punish": FINE,
}  # fmt: skip


def cleans(view: CommonsView) -> bool:
    """Whether this is the game with water."""
    return view.row[SHEETS] > WET


def kinds_of(view: CommonsView) -> Sequence[str]:
    """What is counted."""
    return KINDS if cleans(view) else KINDS[:CLEANS]


def names(view: CommonsView) -> dict[int, str]:
    if view.row[STEP] >= view.row[HORIZON]:
        return NO_NAMES
    return WITH_CLEANING if cleans(view) else WITHOUT_CLEANING


def aliases(view: CommonsView) -> dict[str, int]:
    return ALIASES


def notation(view: CommonsView) -> str:
    actions = list((WITH_CLEANING if cleans(view) else WITHOUT_CLEANING).values())
    return f"An action is written {', '.join(actions[:-1])} or {actions[-1]}."


def you(view: CommonsView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You are the {view.roles[view.seat]} player. Collect as many points for yourself as you can."


def rules(grows: Telling) -> Telling:
    """The rules of a game, of which `grows` tells its own part."""

    def told(view: CommonsView) -> str:
        row = view.row
        points = [f"- {kind}: {pay:+d}" for kind, pay in zip(KINDS, row[PAY : PAY + 3], strict=False)]
        return "\n".join((_ground(view), _beam(view), grows(view), "Points for a player who", *points))

    return told


def _ground(view: CommonsView) -> str:
    row = view.row
    sees = f"You see {row[VIEW]} by {row[VIEW]} cells with yourself in the middle." if row[VIEW] else "You see it all."
    return (
        f"The map is {row[WIDE]} cells wide and {row[HIGH]} cells high. A cell is written (x, y); (0, 0) is the bottom "
        f"left corner, x grows to the right and y grows upwards. {sees} {listed(view.roles).capitalize()} act at the "
        f"same time, {times(row[HORIZON])}. <UP>, <DOWN>, <LEFT> and <RIGHT> turn a player that way and take it one "
        "cell further, unless the edge or another player is in the way; two players are never on one cell. In each "
        "step a random player goes first and the others follow in turn. <STAY> does nothing. Whoever enters a cell "
        "with an apple eats it."
    )


def _beam(view: CommonsView) -> str:
    far = view.row[REACH]
    ahead = "the cell ahead" if far == 1 else f"the {far} cells ahead"
    return (
        f"<FINE> fires a beam over {ahead} of a player and as many on either side of them. In each of these three "
        "lines it fines the first player it meets and goes no further."
    )


@lru_cache(maxsize=64)
def _legend(roles: tuple[str, ...], water: bool, everything: bool) -> str:
    signs = [f"{role} is a {shape}" for role, shape in zip(roles, SHAPES, strict=False)]
    stream = " Blue is water, and brown lumps in it are waste." if water else ""
    white = ", and white stripes a cleaning beam" if water else ""
    lines = "a line for each player" if everything else "your line"
    columns = "apples eaten, beams fired, fines received" + (", cells cleaned" if water else "")
    return (
        "On the left is what you see of the map, with the numbers of the columns below it and those of the rows beside "
        f"it. Pale green is grass, brown is soil where apples grow, dark grey lies beyond the edge.{stream} A light "
        f"green fruit with a leaf is an apple. Each player has a colour and a shape, with eyes: {listed(signs)}; the "
        "black tip beside it points where the player faces, and a dark frame is around yourself. Golden stripes are "
        f"cells that a fining beam has just lit{white}. The table on the right has {lines} and a column for each "
        f"count: {columns}; below each icon stands what it pays."
    )


def legend(view: CommonsView) -> str:
    return _legend(view.roles, cleans(view), not view.row[VIEW] or view.seat is None)


def history(view: CommonsView) -> str:
    """What the picture does not show: how far the episode is, and what was done last as far as one knows."""
    row = view.row
    if row[STEP] >= row[HORIZON]:
        return f"The {row[HORIZON]} steps are over." if row[HORIZON] > 1 else "The only step is over."
    begin = f"Step {row[STEP] + 1} of {row[HORIZON]}."
    if row[STEP] == 0:
        return f"{begin} Nobody has moved yet."
    did = [
        f"{'you' if seat == view.seat else role} did {ACTIONS[row[DID + seat]]}"
        for seat, role in enumerate(view.roles)
        if row[DID + seat] != HIDDEN
    ]
    return f"{begin} In the last step {listed(did) if len(did) > 1 else did[0]}."


def describe(view: CommonsView) -> str:
    return "\n".join((history(view), *situation(view)))


def unseen(view: CommonsView, size: int) -> str:
    """All of it in words, where cells are too small to tell what is in them."""
    return "" if is_legible(view, size) else "\n".join(situation(view))


def place(view: CommonsView, cell: int) -> str:
    return f"({cell % view.row[WIDE]}, {cell // view.row[WIDE]})"


def situation(view: CommonsView) -> list[str]:
    """What the picture shows."""
    row = view.row
    left, bottom, columns, lines = window(row, view.seat)
    shown = [
        f"The map from x = {left} to x = {left + columns - 1}, and from y = {bottom + lines - 1} at the top to "
        f"y = {bottom} at the bottom (a: apple, o: soil without an apple, .: grass, #: beyond the edge, P: a player"
        f"{', w: waste, ~: clean water' if cleans(view) else ''}):"
    ]
    for y in range(bottom + lines - 1, bottom - 1, -1):
        shown.append(f"y = {y}: " + "".join(_letter(view, x, y) for x in range(left, left + columns)))
    for seat, role in enumerate(view.roles):
        if row[AT + seat] != HIDDEN:
            cell = row[AT + seat]
            soaked = " in waste" if row[GRID + cell] & THING else ""
            shown.append(f"{role} player: {place(view, cell)}{soaked}, faces {FACES[row[FACING + seat]]}")
    for light, what in ((LIT_FINE, "fining"), (LIT_CLEAN, "cleaning")):
        cells = [cell for cell, code in enumerate(row[GRID:]) if code != HIDDEN and code & light]
        if cells:
            shown.append(f"a {what} beam has just lit: " + ", ".join(place(view, cell) for cell in cells))
    for seat, role in enumerate(view.roles):
        counts = view.counts(seat)
        if counts[0] != HIDDEN:
            so_far = [f"{kind} {number}×" for kind, number in zip(kinds_of(view), counts, strict=False)]
            shown.append(f"{role} so far: {', '.join(so_far)}")
    return shown


def _letter(view: CommonsView, x: int, y: int) -> str:
    if not (0 <= x < view.ground.wide and 0 <= y < view.ground.high):
        return "#"
    code = view.row[GRID + y * view.ground.wide + x]
    if code >> WHO:
        return "P"
    if code & GROUND == GRASS:
        return "."
    if code & GROUND == SOIL:
        return "a" if code & THING else "o"
    return "w" if code & THING else "~"
