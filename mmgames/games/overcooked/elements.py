"""What there is to recognise in a picture of Overcooked: chefs, pots, counters, and the figures beside the kitchen."""

import numpy as np

from mmgames.games.overcooked import rules as k
from mmgames.games.overcooked.layouts import FLOOR
from mmgames.games.overcooked.rules import Overcooked, OvercookedView
from mmgames.games.overcooked.words import COORDINATES, FACES, ROLES, place
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

NOTES = (
    f"{COORDINATES} The steps are those that are over. A pot with onions was not started, and an event counts how "
    "often it has happened."
)
MOST_COUNTED = 9  # of each event
_THINGS = {k.NOTHING: "nothing", k.ONION: "onion", k.DISH: "empty dish", k.SOUP: "soup"}
_HELD = same(_THINGS.values())
_POTS = ("empty", "1 onion", "2 onions", "3 onions", "cooking", "done")
_COOKING, _DONE = _POTS.index("cooking"), _POTS.index("done")


def elements(view: OvercookedView) -> list[Fact]:
    state, kitchen = view.state, view.kitchen
    tiles = same(map(place, kitchen.cells(FLOOR)))
    counted = same(map(str, range(MOST_COUNTED + 1)))
    found = []
    for role, at, facing, holds in zip(ROLES, state.at, state.facing, state.holds, strict=True):
        found += [
            Fact((f"place of {role}",), place(at), tiles),
            Fact((f"{role} faces",), FACES[facing], same(FACES)),
            Fact((f"{role} holds",), _THINGS[min(holds, k.SOUP)], _HELD),
        ]
    for cell, onions, clock in zip(kitchen.pots, state.onions, state.clock, strict=False):
        pot = _POTS[onions if clock == k.IDLE else _DONE if clock >= state.cook_time else _COOKING]
        found.append(Fact((f"pot {place(cell)}",), pot, same(_POTS)))
    for cell, item in zip(kitchen.counters, state.lies, strict=False):
        found.append(Fact((f"counter {place(cell)}",), _THINGS[item], _HELD))
    found.append(Fact(("steps",), str(state.step), same(map(str, range(state.horizon)))))
    for name, counts in zip(k.EVENTS, zip(*state.happened, strict=True), strict=True):
        found.append(Fact((name,), str(sum(counts)), counted))
    return found


def make_state(game: Overcooked, rng: np.random.Generator, seat: int) -> RecordState:
    """Everything anywhere: chefs on two tiles, any thing in their hands and on the counters."""
    blank = game.start(rng)
    kitchen = game.view(blank, seat).kitchen
    things, pots = list(_THINGS), len(kitchen.pots)
    step = rng.integers(blank.horizon)
    did = rng.integers(len(k.ACTIONS), size=(k.REMEMBERED, 2))
    at = rng.permutation(kitchen.cells(FLOOR))[:2]
    facing = rng.integers(len(FACES), size=2)
    holds = rng.choice(things, 2)
    counts = rng.integers(MOST_COUNTED + 1, size=len(k.EVENTS))
    by_first = rng.integers(counts + 1)
    onions, clock, lies = list(blank.onions), list(blank.clock), list(blank.lies)
    for pot in range(pots):
        kind = int(rng.integers(len(_POTS)))
        onions[pot] = min(kind, k.FULL)
        if kind >= _COOKING:
            clock[pot] = blank.cook_time if kind == _DONE else rng.integers(blank.cook_time)
    lies[: len(kitchen.counters)] = rng.choice(things, len(kitchen.counters))
    return blank.replace(
        step=step, did=did, at=at, facing=facing, holds=holds, happened=[by_first, counts - by_first],
        points=counts @ k.PAYS[blank.counting], onions=onions, clock=clock, lies=lies,
    )  # fmt: skip
