"""What there is to recognise in a picture of Overcooked: chefs, pots, counters, and the figures beside the kitchen."""

from __future__ import annotations

import numpy as np

from mmgames.games.overcooked import rules as k
from mmgames.games.overcooked.layouts import FLOOR, MOST_POTS
from mmgames.games.overcooked.rules import Overcooked, OvercookedView
from mmgames.games.overcooked.words import COORDINATES, FACES, ROLES, place
from mmgames.kernels.kernel_game import RowState
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
    row, kitchen = view.row, view.kitchen
    tiles = same(map(place, kitchen.cells(FLOOR)))
    counted = same(map(str, range(MOST_COUNTED + 1)))
    found = []
    for chef, role in enumerate(ROLES):
        found += [
            Fact((f"place of {role}",), place(row[k.AT + chef]), tiles),
            Fact((f"{role} faces",), FACES[row[k.FACING + chef]], same(FACES)),
            Fact((f"{role} holds",), _THINGS[min(row[k.HOLDS + chef], k.SOUP)], _HELD),
        ]
    for number, cell in enumerate(kitchen.pots):
        found.append(Fact((f"pot {place(cell)}",), _pot(view, number), same(_POTS)))
    for number, cell in enumerate(kitchen.counters, k.STUFF + MOST_POTS):
        found.append(Fact((f"counter {place(cell)}",), _THINGS[row[number]], _HELD))
    found.append(Fact(("steps",), str(row[k.STEP]), same(map(str, range(row[k.HORIZON])))))
    for event, name in enumerate(k.EVENTS):
        count = row[k.HAPPENED + event] + row[k.HAPPENED + len(k.EVENTS) + event]
        found.append(Fact((name,), str(count), counted))
    return found


def _pot(view: OvercookedView, number: int) -> str:
    onions, clock = view.row[k.STUFF + number], view.row[k.CLOCK + number]
    if clock == k.IDLE:
        return _POTS[onions]
    return _POTS[_DONE if clock >= view.row[k.COOK_TIME] else _COOKING]


def make_state(game: Overcooked, rng: np.random.Generator, seat: int) -> RowState:
    """Everything anywhere: chefs on two tiles, any thing in their hands and on the counters."""
    row = game.start(rng).row.copy()
    kitchen = game.view(RowState(row), seat).kitchen
    things = list(_THINGS)
    row[k.STEP] = rng.integers(row[k.HORIZON])
    row[k.DID : k.AT] = rng.integers(len(k.ACTIONS), size=k.AT - k.DID)
    row[k.AT : k.AT + 2] = rng.permutation(kitchen.cells(FLOOR))[:2]
    row[k.FACING : k.FACING + 2] = rng.integers(len(FACES), size=2)
    row[k.HOLDS : k.HOLDS + 2] = rng.choice(things, 2)
    counts = rng.integers(MOST_COUNTED + 1, size=len(k.EVENTS))
    by_first = rng.integers(counts + 1)
    row[k.HAPPENED : k.CLOCK] = [*by_first, *(counts - by_first)]
    row[k.POINTS] = counts @ k.PAYS[row[k.COUNTING]]
    for number in range(len(kitchen.pots)):
        kind = int(rng.integers(len(_POTS)))
        row[k.STUFF + number] = min(kind, k.FULL)
        if kind >= _COOKING:
            row[k.CLOCK + number] = row[k.COOK_TIME] if kind == _DONE else rng.integers(row[k.COOK_TIME])
    counters = k.STUFF + MOST_POTS
    row[counters : counters + len(kitchen.counters)] = rng.choice(things, len(kitchen.counters))
    return RowState(row)
