"""The words of the world: robot types with what they can do, things with what can be done to them."""

from __future__ import annotations

from dataclasses import dataclass

VERBS = ("move", "reach", "grasp", "place", "open", "close", "interact", "push", "handover")
MOVE, REACH, GRASP, PLACE, OPEN, CLOSE, INTERACT, PUSH, HANDOVER = range(1, 10)
"""Numbers of the verbs in a row of actions; 0 is to do nothing."""

CODES = {verb: number for number, verb in enumerate(VERBS, 1)}
ARGUMENTS = {verb: (2,) if verb in ("push", "handover") else (1, 2) if verb == "place" else (1,) for verb in VERBS}
"""How many names follow a verb; place may name the thing before the place."""

_ARM = ("reach", "grasp", "place", "open", "close", "handover", "interact")


@dataclass(frozen=True)
class Kind:
    """What all robots of one build have in common."""

    name: str
    hands: int
    verbs: tuple[str, ...]

    @property
    def moves(self) -> bool:
        return "move" in self.verbs


KINDS = {
    "arm": Kind("arm", 1, _ARM),
    "wheeled": Kind("wheeled", 1, ("move", *_ARM)),
    "humanoid": Kind("humanoid", 2, ("move", *_ARM)),
    "dog": Kind("dog", 0, ("move", "push", "interact")),
}
TYPES = {
    "panda": "arm",
    "fetch": "wheeled",
    "unitree_h1": "humanoid",
    "stompy": "humanoid",
    "unitree_go2": "dog",
    "anymal_c": "dog",
}
"""Robot type -> kind."""

CONTAINERS = frozenset({"plate", "cabinet", "drawer", "bowl", "sink", "toaster", "tray", "cardboardbox"})
SUPPORTS = CONTAINERS | {"wooden cutting board"}
"""What things can be put on or into."""

OPENABLE = frozenset({"cabinet", "drawer", "kitchen cabinet", "kitchen drawer"})
CLOSED_AT_START = frozenset({"cabinet"})
FIXTURES = OPENABLE | {"fridge", "oven", "toaster", "sink"}
"""What is built in and cannot be carried."""

PUSHABLE = frozenset({"box", "cardboardbox"})

FOODS = ("apple", "pear", "peach", "banana", "tomato", "bread", "meat", "pumpkin", "pizza", "green peas")
TOOLS = ("knife", "fork", "spoon", "scissors")
DISHES = ("plate", "bowl", "tray")
THINGS = ("cup", "bottle", "wine", "kettle", "cardboardbox", "cooling fan", "wooden cutting board")
APPLIANCES = ("cabinet", "drawer", "fridge", "oven", "toaster", "sink")
AREAS = ("kitchen work area", "kitchen island area", "table", "rack")


def base(name: str) -> str:
    """What a thing is: "apple 2" is an apple."""
    word, _, number = name.rpartition(" ")
    return word if number.isdigit() else name
