"""Elements that all grid dilemmas share: where everybody and everything stands, how often each event has happened."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from mmgames.games._dilemma import rules as k
from mmgames.games._dilemma.rules import Dilemma, DilemmaView
from mmgames.games._dilemma.setup import PLAYERS, STEPS
from mmgames.games._dilemma.words import place
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

NOTES = (
    "A place is a cell (x, y): (0, 0) is the bottom left corner, x grows to the right and y upwards. An event counts "
    "how often it has happened."
)
MOST_COUNTED = 9  # of each event, so that all of them fit into the steps of an episode
_COUNTS = same(map(str, range(MOST_COUNTED + 1)))
_PLACES = same(map(place, range(k.CELLS)))


@lru_cache(maxsize=1)
def _pairs() -> dict[str, str]:
    """Two cells in any order, by the lower cell first."""
    found: dict[str, str] = {}
    for one, two in combinations(range(k.CELLS), 2):
        value = f"{place(one)} and {place(two)}"
        found |= {value: value, f"{place(two)} and {place(one)}": value}
    return found


def elements(kind: type[Dilemma], things: Sequence[str]) -> Callable[[DilemmaView], list[Fact]]:
    """The elements of a dilemma with these things. Two things of one name cannot be told apart: they are one element,
    whose value is both cells."""

    def seen(view: DilemmaView) -> list[Fact]:
        setup, at = view.setup, view.state.things
        found = [
            Fact((f"{role} player",), place(cell), _PLACES)
            for role, cell in zip(setup.roles, view.state.at, strict=True)
        ]
        for name in dict.fromkeys(things):
            cells = sorted(cell for cell, other in zip(at, things, strict=True) if other == name)
            values = _PLACES if len(cells) == 1 else _pairs()
            found.append(Fact((name,), " and ".join(map(place, cells)), values))
        return found + [Fact((event,), str(count), _COUNTS) for event, count in kind.happened(view.state).items()]

    return seen


def make_state(
    kind: type[Dilemma], possible: Callable[[Sequence[int]], bool]
) -> Callable[[Dilemma, np.random.Generator, int], RecordState]:
    """A maker of positions: players anywhere, things on different cells, as far as they are `possible`.

    That is asked of the players' cells and those of the things; as it does not matter which cells they are, all of
    them stay equally likely for everything.
    """

    events = kind.events_of(kind.usual())
    things = PLAYERS + kind.more_things

    def made(game: Dilemma, rng: np.random.Generator, seat: int) -> RecordState:
        blank = game.start(rng)
        while True:
            cells = [*rng.integers(k.CELLS, size=2).tolist(), *rng.permutation(k.CELLS)[:things].tolist()]
            if possible(cells):
                break
        counts = rng.integers(MOST_COUNTED + 1, size=len(events))
        step = int(rng.integers(counts.sum(), STEPS))
        points = counts @ np.array([(event.red, event.blue) for event in events])
        did = rng.integers(len(k.ACTIONS), size=2) if step else k.NOT_YET
        happened = np.zeros((k.KINDS, PLAYERS), np.int64)
        for (_, what, whose, _, _), count in zip(kind.pair_events, counts, strict=True):
            happened[what, whose] = count
        return blank.replace(step=step, points=points, did=did, at=cells[:2], things=cells[2:], happened=happened)

    return made
