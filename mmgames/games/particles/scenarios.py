"""The eight scenarios (scenarios.json) as tables: who and what is on the field, how large, how fast, who knows what."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

FREE = 0.0
"""The top speed of who has none."""
MARK, OBSTACLE, FOOD, FOREST = "mark", "obstacle", "food", "forest"


@dataclass(frozen=True)
class Kind:
    """What particles of one kind have in common."""

    size: float
    accel: float = 5.0
    fastest: float = FREE
    moves: bool = True
    collides: bool = False
    speaks: bool = False
    adversary: bool = False


@dataclass(frozen=True)
class Scenario:
    """Roles in seat order with their kinds, then what lies on the field: its kind of thing and its size."""

    name: str
    roles: tuple[str, ...]
    kinds: tuple[Kind, ...]
    things: tuple[tuple[str, float], ...]
    words: int = 0
    reach: float = 1.0
    """How far from the middle things are put, on either axis."""
    num_features: int = 0
    aim: str = ""
    """For people: what it is about, in a sentence."""

    @property
    def players(self) -> int:
        return len(self.roles)

    @property
    def entities(self) -> int:
        return len(self.roles) + len(self.things)

    def actions(self, seat: int) -> int:
        kind = self.kinds[seat]
        return (MOVES if kind.moves else 1) * (self.words if kind.speaks else 1)

    @property
    def most_actions(self) -> int:
        return max(map(self.actions, range(self.players)))


MOVES = 5


def _scenario(name: str, told: Mapping[str, Any], kinds: Mapping[str, Kind]) -> Scenario:
    """A scenario as the file has it: who is of which kind, and how large the things of each kind are."""
    roles, things = told["roles"], told["things"]
    sizes = tuple((thing, size) for thing, several in things.items() for size in several)
    rest = {key: value for key, value in told.items() if key not in ("roles", "things")}
    return Scenario(name, tuple(roles), tuple(kinds[kind] for kind in roles.values()), sizes, **rest)


_FILE = json.loads(files(__package__).joinpath("scenarios.json").read_text("utf-8"))
_KINDS = {name: Kind(**told) for name, told in _FILE["kinds"].items()}
SCENARIOS = tuple(_scenario(name, told, _KINDS) for name, told in _FILE["scenarios"].items())
NAMES = tuple(scenario.name for scenario in SCENARIOS)
SPREAD, ADVERSARY, TAG, PUSH, SPEAKER, REFERENCE, CRYPTO, WORLD = range(len(SCENARIOS))
MOST_PLAYERS = max(scenario.players for scenario in SCENARIOS)
MOST_ENTITIES = max(scenario.entities for scenario in SCENARIOS)


def _table(width: int, of: Callable[[Scenario], Iterable[Any]]) -> np.ndarray:
    """A line for each scenario, filled up with zeros."""
    lines = [tuple(of(scenario)) for scenario in SCENARIOS]
    return np.array([(*line, *(0,) * (width - len(line))) for line in lines])


SECRETS = np.array([len(it.things) if it.name not in ("spread", "tag", "world_comm") else 1 for it in SCENARIOS])
"""How many landmarks the secret one can be."""
IS_HUNT = np.array([it.name in ("tag", "world_comm") for it in SCENARIOS])
WORDS = np.array([scenario.words for scenario in SCENARIOS])
REACH = np.array([scenario.reach for scenario in SCENARIOS])
SIZE = _table(MOST_ENTITIES, lambda it: (*(kind.size for kind in it.kinds), *(size for _, size in it.things)))
ACCEL = _table(MOST_PLAYERS, lambda it: (kind.accel for kind in it.kinds))
FASTEST = _table(MOST_PLAYERS, lambda it: (float(kind.fastest) for kind in it.kinds))
CAN_MOVE = _table(MOST_PLAYERS, lambda it: (kind.moves for kind in it.kinds))
SPEAKS = _table(MOST_PLAYERS, lambda it: (kind.speaks for kind in it.kinds))
HUNTS = _table(MOST_PLAYERS, lambda it: (kind.adversary for kind in it.kinds))
ACTIONS = _table(MOST_PLAYERS, lambda it: (it.actions(seat) for seat in range(it.players)))
COLLIDES = _table(
    MOST_ENTITIES,
    lambda it: (*(kind.collides for kind in it.kinds), *(thing == OBSTACLE for thing, _ in it.things)),
)

# What a seat observes, one after the other as far as the scenario has it.
OWN_SPEED, OWN_PLACE, TO_GOAL, OWN_COLOUR, TO_THINGS, THING_COLOURS, TO_OTHERS = (1 << place for place in range(7))
PREY_IN_WOODS, PREY_SPEEDS, IN_WOODS, GOAL_COLOUR, MESSAGE, KEY, HEARD = (1 << place for place in range(7, 14))
_HUNT = OWN_SPEED | OWN_PLACE | TO_THINGS | TO_OTHERS | PREY_SPEEDS
_AROUND = TO_THINGS | TO_OTHERS
_OBSERVED: dict[str, tuple[int, ...]] = {
    "spread": (OWN_SPEED | OWN_PLACE | _AROUND,) * 3,
    "adversary": (_AROUND, TO_GOAL | _AROUND, TO_GOAL | _AROUND),
    "tag": (_HUNT,) * 4,
    "push": (OWN_SPEED | _AROUND, OWN_SPEED | TO_GOAL | OWN_COLOUR | THING_COLOURS | _AROUND),
    "speaker_listener": (GOAL_COLOUR, OWN_SPEED | TO_THINGS | HEARD),
    "reference": (OWN_SPEED | TO_THINGS | GOAL_COLOUR | HEARD,) * 2,
    "crypto": (HEARD, KEY | HEARD, MESSAGE | KEY),
    "world_comm": (*(_HUNT | IN_WOODS | HEARD,) * 4, *(_HUNT | PREY_IN_WOODS,) * 2),
}
OBSERVES = _table(MOST_PLAYERS, lambda it: _OBSERVED[it.name])
BRIGHT, DIM = (np.array([colours.get(name, 0.0) for name in NAMES]) for colours in (
    {"push": 0.75, "speaker_listener": 0.65, "reference": 0.75},
    {"push": 0.25, "speaker_listener": 0.15, "reference": 0.25},
))  # fmt: skip
"""The numbers that colours are told with."""
