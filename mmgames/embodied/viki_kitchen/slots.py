"""Action numbers: primitives with slots for places, things and robots, the same through all episodes of a game."""

from functools import lru_cache

import numpy as np

from mmgames.embodied._scenes.solids import read
from mmgames.embodied._world.kernel import FINE, at_thing, carry_out, conflicts, feasible, reached
from mmgames.embodied._world.names import CODES, HANDOVER
from mmgames.embodied._world.task import KitchenWorld
from mmgames.kernels.kernel import kernel, new_states

Room = tuple[int, int, int]
"""How many slots there are for places, things and robots."""

WHOLE, FIRST, SECOND, BOX = -1, -2, -3, -4
"""In a table, instead of a node: all that is carried, the first or second thing in hand, the box one stands at."""

RUNNING, DONE, WRONG_ORDER = range(3)
"""What a step comes to."""

_BESIDES = {"all": WHOLE, "first": FIRST, "second": SECOND, "box": BOX}
_GROUPS = [(CODES[verb], kind, _BESIDES[meant]) for verb, kind, meant in read("slots", __package__)["groups"]]
"""After waiting, number 0, one block of numbers for each: verb, what the slots hold, what is meant besides."""


@lru_cache(maxsize=64)
def count(room: Room) -> int:
    """How many action numbers there are."""
    slots = _slots(room)
    return 1 + sum(slots[kind] for _, kind, _ in _GROUPS)


def _slots(room: Room) -> dict[str, int]:
    return dict(zip(("place", "thing", "robot"), room, strict=True))


def table(world: KitchenWorld, room: Room) -> np.ndarray:
    """The numbers that mean something in a task, in order: number, verb, node, what is meant besides."""
    robots, things, places = len(world.task.robots), len(world.task.assets), len(world.place_names)
    first = {"place": 0, "thing": places, "robot": places + things}
    filled = {"place": len(world.task.places), "thing": things, "robot": robots}
    rows, number, slots = [(0, 0, -1, WHOLE)], 1, _slots(room)
    for verb, kind, besides in _GROUPS:
        rows += [(number + slot, verb, first[kind] + slot, besides) for slot in range(filled[kind])]
        number += slots[kind]
    return np.array(rows, np.int64)


@kernel
def carried(state, kitchen, robot, which):
    """The first (0) or second (1) thing in a robot's hands, or -1."""
    for thing in range(kitchen.things):
        if state.at[thing] == kitchen.places + kitchen.things + robot:
            if which == 0:
                return thing
            which -= 1
    return -1


@kernel
def means(states, kitchens, robot, entry, out):
    """Write (verb, first, second) for an entry of a table; whether it means anything for this robot now."""
    state, kitchen = states[0], kitchens[0]
    verb, node, besides = entry[1], entry[2], entry[3]
    out[0], out[1], out[2] = verb, node, -1
    if besides == WHOLE:
        return True
    if besides == BOX:
        for thing in range(kitchen.things):
            if kitchen.pushable[thing] and at_thing(state, kitchen, robot, thing):
                out[1], out[2] = kitchen.places + thing, node
                return True
        return False
    thing = carried(state, kitchen, robot, 0 if besides == FIRST else 1)
    if thing < 0:
        return False
    if verb == HANDOVER:
        out[1], out[2] = kitchen.places + thing, node
        return True
    out[2] = kitchen.places + thing
    return carried(state, kitchen, robot, 1) >= 0  # one thing alone is placed without naming it


@kernel
def all_moves(states, kitchens, entries, out, counts, masks):
    """Write every robot's legal action numbers to its line of `out`, how many there are to `counts`, and its mask."""
    triple = np.empty(3, np.int64)
    for robot in range(kitchens[0].robots):
        n = 0
        for i in range(entries.shape[0]):
            number, verb = entries[i, 0], entries[i, 1]
            if verb > 0 and not kitchens[0].able[robot, verb]:
                continue
            if not means(states, kitchens, robot, entries[i], triple):
                continue
            if feasible(states[0], kitchens[0], robot, triple[0], triple[1], triple[2]) == FINE:
                out[robot, n], masks[robot, number] = number, 1
                n += 1
        counts[robot] = n


@kernel
def advance(states, kitchens, idle, entries, places, chosen, meant, clash):
    """Play one step of chosen action numbers in place; what it comes to.

    `meant` gets what every robot wanted to do, `clash` who got in each other's way; those do nothing.
    """
    joints = new_states(idle, 1)
    for robot in range(chosen.size):
        if chosen[robot]:
            means(states, kitchens, robot, entries[places[chosen[robot]]], meant[robot])
        joints[0].verb[robot] = meant[robot, 0]
        joints[0].first[robot] = meant[robot, 1]
        joints[0].second[robot] = meant[robot, 2]
    conflicts(states[0], kitchens[0], joints[0])
    for robot in range(chosen.size):
        clash[robot] = joints[0].clash[robot]
        if clash[robot]:
            joints[0].verb[robot] = 0
    if carry_out(states, kitchens, joints) >= 0:
        return WRONG_ORDER
    return DONE if reached(states[0], kitchens[0]) else RUNNING
