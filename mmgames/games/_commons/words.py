"""Words that the commons share: the map, what a seat sees of it, the beams. A game adds what grows and how."""

from collections.abc import Callable
from functools import lru_cache

from mmgames.games._commons import rules as k
from mmgames.games._commons.layout import is_legible
from mmgames.games._commons.maps import GRASS, SOIL, WATER
from mmgames.games._commons.rules import CommonsView
from mmgames.games._dilemma.words import SHAPES, listed, times
from mmgames.text.prose import paragraphs

Telling = Callable[[CommonsView], str]
FACES = ("right", "left", "up", "down")
NO_NAMES: dict[int, str] = {}
ALIASES = {"wait": k.STAY, "fire": k.FINE, "zap": k.FINE, "punish": k.FINE}
COMPASS = {"east": k.RIGHT, "west": k.LEFT, "north": k.UP, "south": k.DOWN}

_SAID = paragraphs(__package__, "words")


def names(view: CommonsView) -> dict[int, str]:
    return NO_NAMES if view.state.step >= view.state.horizon else _all_names(view)


def _all_names(view: CommonsView) -> dict[int, str]:
    return _named(view.ground.has_water, view.state.ssd)


@lru_cache(maxsize=4)
def _named(water: bool, ssd: bool) -> dict[int, str]:
    return dict(enumerate(k.actions_of(water, ssd)))


def plain(view: CommonsView) -> dict[int, str]:
    """For people: what the beams are for, and that they go ahead."""
    ahead = {"<FINE>": "Fine whoever is ahead", "<CLEAN>": "Clean the water ahead"}
    return {action: ahead[name] for action, name in names(view).items() if name in ahead}


def aliases(view: CommonsView) -> dict[str, int]:
    return ALIASES if view.state.ssd else ALIASES | COMPASS


def notation(view: CommonsView) -> str:
    actions = list(_all_names(view).values())
    return f"An action is written {', '.join(actions[:-1])} or {actions[-1]}."


def you(view: CommonsView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You are the {view.roles[view.seat]} player. Collect as many points for yourself as you can."


def rules(grows: Telling) -> Telling:
    """The rules of a game, of which `grows` tells its own part."""

    def whole(view: CommonsView) -> str:
        points = [f"- {kind}: {pay:+d}" for kind, pay in zip(k.KINDS, view.state.pays, strict=False)]
        return "\n".join((_ground(view), _beam(view), grows(view), "Points for a player who", *points))

    return whole


def _ground(view: CommonsView) -> str:
    ground, side, horizon = view.ground, view.state.sight, view.state.horizon
    sees = f"You see {side} by {side} cells with yourself in the middle." if side else "You see it all."
    return _SAID["ground"].format(
        wide=ground.wide,
        high=ground.high,
        sees=sees,
        roles=listed(view.roles).capitalize(),
        times=times(horizon),
        steps=_SAID["steps, ssd" if view.state.ssd else "steps"],
    )


def _beam(view: CommonsView) -> str:
    far = view.state.reach
    ahead = "the cell ahead" if far == 1 else f"the {far} cells ahead"
    sides = "in two lines that begin right beside the player" if view.state.ssd else "on either side of them"
    return _SAID["beam"].format(ahead=ahead, sides=sides)


@lru_cache(maxsize=64)
def _legend(roles: tuple[str, ...], water: bool, everything: bool) -> str:
    signs = [f"{role} is a {shape}" for role, shape in zip(roles, SHAPES, strict=False)]
    stream = " Blue is water, and brown lumps in it are waste." if water else ""
    white = ", and white stripes a cleaning beam" if water else ""
    lines = "a line for each player" if everything else "your line"
    columns = "apples eaten, beams fired, fines received" + (", cells cleaned" if water else "")
    return _SAID["legend"].format(stream=stream, signs=listed(signs), white=white, lines=lines, columns=columns)


def legend(view: CommonsView) -> str:
    return _legend(view.roles, view.ground.has_water, not view.state.sight or view.seat is None)


def history(view: CommonsView) -> str:
    """What the picture does not show: how far the episode is, and what was done last as far as one knows."""
    step, horizon = view.state.step, view.state.horizon
    if step >= horizon:
        return f"The {horizon} steps are over." if horizon > 1 else "The only step is over."
    begin = f"Step {step + 1} of {horizon}."
    if step == 0:
        return f"{begin} Nobody has moved yet."
    did = [
        f"{'you' if seat == view.seat else role} did {_all_names(view)[action]}"
        for seat, (role, action) in enumerate(zip(view.roles, view.state.did, strict=True))
        if action != k.HIDDEN
    ]
    return f"{begin} In the last step {listed(did) if len(did) > 1 else did[0]}."


def describe(view: CommonsView) -> str:
    return "\n".join((history(view), *situation(view)))


def unseen(view: CommonsView, size: int) -> str:
    """All of it in words, where cells are too small to tell what is in them."""
    return "" if is_legible(view, size) else "\n".join(situation(view))


def place(view: CommonsView, cell: int) -> str:
    return f"({cell % view.ground.wide}, {cell // view.ground.wide})"


def situation(view: CommonsView) -> list[str]:
    """What the picture shows."""
    state = view.state
    left, bottom, columns, lines = k.window(state, view.seat)
    shown = [
        f"The map from x = {left} to x = {left + columns - 1}, and from y = {bottom + lines - 1} at the top to "
        f"y = {bottom} at the bottom (a: apple, o: soil without an apple, .: grass, #: beyond the edge, P: a player"
        f"{', w: waste, ~: clean water' if view.ground.has_water else ''}):"
    ]
    letters = _letters(view)
    for y in range(bottom + lines - 1, bottom - 1, -1):
        shown.append(f"y = {y}: " + "".join(letters.get((x, y), "#") for x in range(left, left + columns)))
    for role, cell, facing in zip(view.roles, state.at, state.facing, strict=True):
        if cell != k.HIDDEN:
            soaked = " in waste" if state.waste[cell] else ""
            shown.append(f"{role} player: {place(view, cell)}{soaked}, faces {FACES[facing]}")
    for beam, what in ((k.FINING, "fining"), (k.CLEANING, "cleaning")):
        cells = [cell for cell, lit in enumerate(state.lit[beam]) if lit]
        if cells:
            shown.append(f"a {what} beam has just lit: " + ", ".join(place(view, cell) for cell in cells))
    for role, counts in zip(view.roles, view.counts, strict=True):
        if counts[0] != k.HIDDEN:
            so_far = [f"{kind} {number}×" for kind, number in zip(view.kinds, counts, strict=True)]
            shown.append(f"{role} so far: {', '.join(so_far)}")
    return shown


def _letters(view: CommonsView) -> dict[tuple[int, int], str]:
    """What stands for each cell, by x and y."""
    state, ground = view.state, view.ground
    bare = {GRASS: ".", SOIL: "o", WATER: "~"}
    found = {}
    for cell, cells in enumerate(zip(ground.terrain, state.apples, state.waste, state.who, strict=True)):
        kind, apple, waste, seat = cells
        letter = "P" if seat != k.NO_ONE else "a" if apple else "w" if waste else bare[kind]
        found[cell % ground.wide, cell // ground.wide] = letter
    return found
