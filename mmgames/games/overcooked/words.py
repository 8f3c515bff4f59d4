"""Overcooked in words."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from mmgames.core.game_modules import always, said
from mmgames.games.overcooked import rules as k
from mmgames.games.overcooked.layouts import COUNTER, DISHES, FLOOR, HATCH, HIGH, ONIONS, POT, WIDE
from mmgames.games.overcooked.rules import OvercookedView
from mmgames.text.prose import paragraphs

ROLES = ("chef_0", "chef_1")
HATS = ("blue", "green")
FACES = ("up", "down", "right", "left")
NAMES = dict(enumerate(k.ACTIONS))
NO_NAMES: dict[int, str] = {}
STATIONS = {ONIONS: "onions", DISHES: "dishes", POT: "pot", HATCH: "serving hatch", COUNTER: "counter"}
LETTERS = {ONIONS: "O", DISHES: "D", POT: "P", HATCH: "S", COUNTER: "X"}
ITEMS = {k.NOTHING: "nothing", k.ONION: "an onion", k.DISH: "an empty dish", k.SOUP: "a dish of soup"}
CODES = {
    FLOOR: "a free floor tile",
    COUNTER: "an empty counter",
    ONIONS: "a crate of onions",
    DISHES: "a stack of dishes",
    POT: "an empty pot",
    HATCH: "a serving hatch",
    k.RAW + 1: "a pot with 1 raw onion",
    k.RAW + 2: "a pot with 2 raw onions",
    k.RAW + 3: "a pot with 3 raw onions",
    k.COOKING: "a pot that is cooking",
    k.DONE: "a pot whose soup is done",
    k.LYING + k.ONION: "an onion on a counter",
    k.LYING + k.DISH: "an empty dish on a counter",
    k.LYING + k.DISH + 1: "a dish of soup on a counter",
    **{k.CHEF + chef: f"{ROLES[chef]} ({HATS[chef]} hat)" for chef in k.CHEFS},
}
_TILES = "a tile is written (x, y), (0, 0) is the top left one, x grows to the right and y downwards"
COORDINATES = f"A{_TILES[1:]}."

_SAID = paragraphs(__package__, "words")
_KITCHEN = _SAID["kitchen"]
_WORK = _SAID["work"]
_HASTE = " " + _SAID["haste"]
_DISH_PAPER = _SAID["dish"]
_DISH_RELEASED = _SAID["dish, released"]
(legend,) = said(__package__, "legend")
notation = always(f"An action is written {', '.join(k.ACTIONS[:-1])} or {k.ACTIONS[-1]}.")


def names(view: OvercookedView) -> dict[int, str]:
    return NAMES if view.state.step < view.state.horizon else NO_NAMES


def rules(view: OvercookedView) -> str:
    return _rules(view.state.counting, view.state.horizon, view.state.cook_time)


@lru_cache(maxsize=16)
def _rules(counting: int, horizon: int, cook_time: int) -> str:
    paper = counting == k.PAPER
    work = _WORK + _HASTE
    table = "\n".join(f"- {event}: +{paid}" for event, paid in zip(k.EVENTS, k.PAYS[counting], strict=True))
    return "\n".join(
        [
            _KITCHEN.format(horizon=horizon),
            work.format(full=k.FULL, cook_time=cook_time),
            "Points, which both chefs get, whoever earns them:",
            table,
            _DISH_PAPER if paper else _DISH_RELEASED,
        ]
    )


def you(view: OvercookedView) -> str:
    if view.seat is None:
        return "You are watching."
    hat, other = HATS[view.seat], 1 - view.seat
    return (
        f"You are {ROLES[view.seat]} and wear the {hat} hat; {ROLES[other]} wears the {HATS[other]} one. "
        "Make as many points together as you can."
    )


def remembering(frames: int, seen: Sequence[OvercookedView]) -> tuple[Callable[[OvercookedView], str], ...]:
    """`history` and `describe`, telling a joint action between every two pictures, and at least one."""
    return tuple(partial(told, steps=max(1, frames - 1), seen=seen) for told in (history, describe))


def history(view: OvercookedView, steps: int = k.REMEMBERED, seen: Sequence[OvercookedView] = ()) -> str:
    """The step, the last joint actions, and what the chef holds, which bears repeating."""
    lines = [_now(view)]
    if view.seat is not None:
        lines.append(f"You hold {thing(view.state.holds[view.seat])}.")
    return "\n".join([*lines, *_last_actions(view, steps, seen)])


def slips(view: OvercookedView, action: int) -> list[str]:
    """An onion for a pot that takes no more, or a pot that is started before it is full."""
    state, chef = view.state, view.seat or 0
    cell = k.AHEAD[state.at[chef], state.facing[chef]]
    if action != k.INTERACT or view.kitchen.terrain[cell] != POT:
        return []
    pot = k.NUMBER[state.layout, cell]
    holds, onions, idle = state.holds[chef], state.onions[pot], state.clock[pot] == k.IDLE
    early, late = holds == k.NOTHING and idle and 0 < onions < k.FULL, holds == k.ONION and onions == k.FULL
    return ["miscounted onions"] * (early or late)


def ending(view: OvercookedView) -> str:
    served = sum(counts[k.SERVED] for counts in view.state.happened)
    soups = "No soup was" if not served else "One soup was" if served == 1 else f"{served} soups were"
    return f"{soups} served in {view.state.horizon} steps; the chefs have {view.state.points} points."


def describe(view: OvercookedView, steps: int = k.REMEMBERED, seen: Sequence[OvercookedView] = ()) -> str:
    """The whole view: history, map, chefs, pots, counters, events so far."""
    state, kitchen = view.state, view.kitchen
    lines = [_now(view), f"points: {state.points}", *_last_actions(view, steps, seen), *_map(view)]
    for chef, (at, facing, holds) in enumerate(zip(state.at, state.facing, state.holds, strict=True)):
        who = f"{ROLES[chef]} (you)" if chef == view.seat else ROLES[chef]
        lines.append(f"{who}: at {place(at)}, faces {FACES[facing]}, holds {thing(holds)}")
    for number, cell in enumerate(kitchen.pots):
        lines.append(f"pot {place(cell)}: {_pot(view, number)}")
    counters = zip(kitchen.counters, state.lies, strict=False)
    lying = [f"{thing(item)} at {place(cell)}" for cell, item in counters if item != k.NOTHING]
    lines.append(f"on counters: {', '.join(lying) or 'nothing'}")
    for role, counts in zip(ROLES, state.happened, strict=True):
        done = ", ".join(f"{event} {count}×" for event, count in zip(k.EVENTS, counts, strict=True))
        lines.append(f"{role} so far: {done}")
    return "\n".join(lines)


def _now(view: OvercookedView) -> str:
    step, horizon = view.state.step, view.state.horizon
    return f"The {horizon} steps are over." if step >= horizon else f"{step} of {horizon} steps are over."


def _last_actions(view: OvercookedView, steps: int, seen: Sequence[OvercookedView]) -> Iterator[str]:
    """The last joint actions, oldest first: those that the kitchen keeps, and before them those that were seen."""
    step = view.state.step
    joints = [*view.state.did, *(before.state.did[0] for before in seen[-1 - k.REMEMBERED :: -1])]
    for age in range(min(steps, step, len(joints)) - 1, -1, -1):
        joint = joints[age]
        first, second = (k.ACTIONS[action] for action in joint)
        yield f"In step {step - age} chef_0 did {first} and chef_1 did {second}."


def _map(view: OvercookedView) -> Iterator[str]:
    kitchen = view.kitchen
    stations = ", ".join(f"{LETTERS[kind]} {name}" for kind, name in STATIONS.items())
    yield (
        f"The kitchen ({kitchen.name}), {kitchen.width} tiles wide and {kitchen.height} high; {_TILES}. "
        f"{stations}, . floor:"
    )
    for y in range(kitchen.height):
        line = kitchen.terrain[y * WIDE : y * WIDE + kitchen.width]
        yield "  " + "".join(LETTERS.get(kind, ".") for kind in line)


def _pot(view: OvercookedView, number: int) -> str:
    onions, clock, cook_time = view.state.onions[number], view.state.clock[number], view.state.cook_time
    if onions == 0:
        return "empty"
    count = f"{onions} onion{'s' if onions > 1 else ''}"
    if clock == k.IDLE:
        return f"{count}, not started"
    return f"{count}, done" if clock >= cook_time else f"{count}, has cooked {clock} of {cook_time} steps"


def thing(item: int) -> str:
    return ITEMS.get(item) or f"a dish of soup made of only {item - k.DISH} onion{'s' if item - k.DISH > 1 else ''}"


def place(cell: int) -> str:
    return f"({cell % WIDE}, {cell // WIDE})"


def places(width: int) -> tuple[str, ...]:
    """The names of the tiles of a kitchen so wide, row by row; no kitchen has more rows than these."""
    return tuple(place(y * WIDE + x) for y in range(HIGH) for x in range(width))
