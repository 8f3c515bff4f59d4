"""The words of the world: robot types with what they can do, things with what can be done to them."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

VERBS = ("move", "reach", "grasp", "place", "open", "close", "interact", "push", "handover")
MOVE, REACH, GRASP, PLACE, OPEN, CLOSE, INTERACT, PUSH, HANDOVER = range(1, 10)
"""Numbers of the verbs in a row of actions; 0 is to do nothing."""

CODES = {verb: number for number, verb in enumerate(VERBS, 1)}
ARGUMENTS = {verb: (2,) if verb in ("push", "handover") else (1, 2) if verb == "place" else (1,) for verb in VERBS}
"""How many names follow a verb; place may name the thing before the place."""


HANDS = ("no hands", "one hand", "two hands")


@dataclass(frozen=True)
class Kind:
    """What all robots of one build have in common."""

    name: str
    hands: int
    verbs: tuple[str, ...]

    @property
    def moves(self) -> bool:
        return "move" in self.verbs


@cache
def read(name: str) -> dict[str, Any]:
    """One of the files with facts."""
    return json.loads(files(__package__).joinpath(f"{name}.json").read_text("utf-8"))


_KNOWN = read("names")
KINDS = {name: Kind(name, hands, tuple(verbs)) for name, (hands, verbs) in _KNOWN["kinds"].items()}
TYPES: dict[str, str] = _KNOWN["types"]  # robot type -> kind
CONTAINERS, OPENABLE, CLOSED_AT_START, PUSHABLE = (
    frozenset(_KNOWN[name]) for name in ("containers", "openable", "closed at start", "pushable")
)
SUPPORTS = CONTAINERS | {"wooden cutting board"}  # what things can be put on or into
FIXTURES = OPENABLE | {"fridge", "oven", "toaster", "sink"}  # what is built in and cannot be carried
FOODS, TOOLS, DISHES, THINGS, APPLIANCES, AREAS = (
    tuple(_KNOWN[name]) for name in ("foods", "tools", "dishes", "things", "appliances", "areas")
)


def base(name: str) -> str:
    """What a thing is: "apple 2" is an apple."""
    word, _, number = name.rpartition(" ")
    return word if number.isdigit() else name
