"""Shortest plans: a breadth-first search over joint actions, pruned by a bound on the steps that are still needed.

The bound never overestimates, and the limit on steps plus bound grows by one until a plan is found: the first one is
a shortest one. Only actions that can matter are tried: nobody moves to a thing unless standing right there allows
more than standing nearby.

Two functions are long: each kernel that they called instead would be compiled for itself.
"""

import numpy as np

from mmgames.embodied._world.kernel import (
    ACTIVATED,
    ALIGNED,
    AT,
    FINE,
    IS_OPEN,
    apply,
    at_thing,
    carries,
    conflicts,
    feasible,
    holder,
    holds,
    is_near,
    reached,
    root,
    shut_in,
    stages,
)  # fmt: skip
from mmgames.embodied._world.names import CLOSE, GRASP, HANDOVER, INTERACT, MOVE, PLACE, PUSH, REACH
from mmgames.kernels.kernel import kernel

FOUND_NOTHING, FULL = -1, -2


@kernel
def can(state, kitchen, robot, verb, first):
    # np.int64: Numba would compile the rules anew for every constant that they are called with.
    return feasible(state, kitchen, robot, np.int64(verb), first, np.int64(-1)) == FINE


@kernel
def fetching(state, kitchen, thing):
    """At least so many steps until somebody holds a thing: move or open what is around it, reach, grasp."""
    if holder(state, kitchen, thing) >= 0:
        return 0
    is_shut_in = shut_in(state, kitchen, thing)
    here = root(state, kitchen, kitchen.places + thing)
    near = False
    for robot in range(kitchen.robots):
        if kitchen.hands[robot] == 0:
            continue
        if is_near(state, robot, thing) and not is_shut_in:
            return 1
        near |= root(state, kitchen, state.stands[robot]) == here
    # What is shut in is opened before it is reached; how far those who can are from the door is left aside.
    return 2 if near and not is_shut_in else 3


@kernel
def stays(kitchen, node):
    """Whether a node is where it is for good."""
    return node < kitchen.places or kitchen.fixture[node - kitchen.places]


@kernel
def pushing(state, kitchen, thing):
    """At least so many steps until a thing is pushed somewhere; 0 if nobody can."""
    steps = 0
    for robot in range(kitchen.robots):
        if kitchen.pushable[thing] and kitchen.able[robot, PUSH]:
            if at_thing(state, kitchen, robot, thing):
                return 1
            steps = 2
    return steps


@kernel
def still(state, kitchen, predicate):
    """At least so many steps until a predicate holds."""
    if holds(state, kitchen, predicate):
        return 0
    if predicate.kind <= ALIGNED:
        carried = fetching(state, kitchen, predicate.thing)
        if predicate.kind == AT:  # from where it is taken it may have to go elsewhere, and is put down
            here = root(state, kitchen, kitchen.places + predicate.thing)
            carried += 1 + (stays(kitchen, predicate.value) and here != root(state, kitchen, predicate.value))
        carried = max(1, carried)
        pushed = pushing(state, kitchen, predicate.thing)
        return min(carried, pushed) if pushed else carried
    return 1


@kernel
def bound(state, kitchen):
    """At least so many steps until everything is done."""
    most = 0
    work = 0  # reaches and grasps that somebody has to do, one at a time
    for i in range(kitchen.predicates):
        wanted = kitchen.wanted[i]
        if wanted.chain >= 0 and state.completed[wanted.chain]:
            continue
        steps = still(state, kitchen, wanted)
        if steps == 0:
            continue
        pushed = pushing(state, kitchen, wanted.thing) > 0
        if wanted.kind == AT and not pushed:
            counted = False
            for j in range(i):
                counted |= kitchen.wanted[j].thing == wanted.thing and kitchen.wanted[j].kind == AT
            if not counted:
                work += min(fetching(state, kitchen, wanted.thing), 2)
        if wanted.chain >= 0 and wanted.kind == AT:
            for j in range(kitchen.predicates):
                # Putting something into a thing and starting that thing take two steps.
                other = kitchen.wanted[j]
                starts = other.chain == wanted.chain and other.kind == ACTIVATED
                if starts and wanted.value == kitchen.places + other.thing and not holds(state, kitchen, other):
                    steps += 1
                    break
        if wanted.chain < 0 and wanted.kind == AT and not pushed:
            for j in range(kitchen.predicates):
                # What has to be somewhere else first has to be taken away from there again.
                other = kitchen.wanted[j]
                if other.chain < 0 or state.completed[other.chain] or other.thing != wanted.thing or other.kind != AT:
                    continue
                if other.value != wanted.value:
                    there = root(state, kitchen, other.value)
                    away = stays(kitchen, wanted.value) and root(state, kitchen, wanted.value) != there
                    steps = max(steps, still(state, kitchen, other) + 2 + away)
        most = max(most, steps)
    if work:
        hands = 0
        for robot in range(kitchen.robots):
            hands += kitchen.hands[robot] > 0
        most = max(most, (work + hands - 1) // max(hands, 1) + 1)
    return most


@kernel
def add(out, n, verb, first, second):
    """Write one more choice; how many there are."""
    out[n, 0], out[n, 1], out[n, 2] = verb, first, second
    return n + 1


@kernel
def target(kitchen, place):
    """What one names to get to a place: for the spot of a robot the robot, and -1 if that one can come itself."""
    owner = place - kitchen.places + kitchen.robots
    if owner < 0:
        return place
    return -1 if kitchen.able[owner, MOVE] else kitchen.places + kitchen.things + owner


@kernel
def choices(state, kitchen, marks, robot, out):
    """Write the actions of a robot that can matter to `out`; their number. Doing nothing is the first."""
    places = kitchen.places
    mine = places + kitchen.things + robot
    stands = state.stands[robot]
    n = add(out, 0, 0, -1, -1)
    if kitchen.able[robot, MOVE]:
        for place in range(places):
            aim = target(kitchen, place)
            if aim < 0:
                continue
            crowded = False
            for thing in range(kitchen.things):
                lies = marks.stood_at[thing] and holder(state, kitchen, thing) < 0
                if lies and root(state, kitchen, places + thing) == place:
                    crowded = True
                    if stands != places + thing:
                        n = add(out, n, MOVE, places + thing, -1)
            if not crowded and stands != place:
                n = add(out, n, MOVE, aim, -1)
    here = root(state, kitchen, stands)
    for thing in range(kitchen.things):
        node = places + thing
        idle = marks.started[thing] and not state.active[thing]
        if idle and can(state, kitchen, robot, INTERACT, node):
            n = add(out, n, INTERACT, node, -1)
        if kitchen.pushable[thing] and can(state, kitchen, robot, PUSH, node):
            for place in range(places):
                aim = target(kitchen, place)
                if place != here and aim >= 0:
                    n = add(out, n, PUSH, node, aim)
        if kitchen.hands[robot] == 0 or not marks.matters[thing] or root(state, kitchen, node) != here:
            continue
        if not is_near(state, robot, thing):
            wanted = not kitchen.fixture[thing] or (
                kitchen.openable[thing]
                and (not state.opened[thing] or marks.lid[thing])
                and at_thing(state, kitchen, robot, thing)
            )
            if wanted and can(state, kitchen, robot, REACH, node):
                n = add(out, n, REACH, node, -1)
            continue
        for verb in range(GRASP, CLOSE + 1):
            if verb == PLACE or (verb == CLOSE and not marks.lid[thing]):
                continue
            if can(state, kitchen, robot, verb, node):
                n = add(out, n, verb, node, -1)
    held = carries(state, kitchen, robot)
    if held:
        for node in range(places + kitchen.things):
            useful = node == here and node < places - kitchen.robots
            useful |= node >= places and kitchen.pushable[node - places] > 0
            for i in range(kitchen.predicates):
                useful |= kitchen.wanted[i].kind <= ALIGNED and kitchen.wanted[i].value == node
            if not useful or not can(state, kitchen, robot, PLACE, node):
                continue
            n = add(out, n, PLACE, node, -1)
            if held == 2:
                for thing in range(kitchen.things):
                    if state.at[thing] == mine:
                        n = add(out, n, PLACE, node, places + thing)
        for thing in range(kitchen.things):
            if state.at[thing] != mine:
                continue
            for other in range(kitchen.robots):
                node = places + kitchen.things + other
                if feasible(state, kitchen, robot, np.int64(HANDOVER), places + thing, node) == FINE:
                    n = add(out, n, HANDOVER, places + thing, node)
    return n


@kernel
def mark(state, kitchen, marks):
    """Note which things one has to do with, and how."""
    for thing in range(kitchen.things):
        marks.stood_at[thing] = kitchen.fixture[thing] or kitchen.pushable[thing]
        marks.matters[thing] = kitchen.pushable[thing]
    for i in range(kitchen.predicates):
        wanted = kitchen.wanted[i]
        for end in range(2):  # the thing and what it goes to, with all that is around them
            inner = wanted.thing if end == 0 else wanted.value - kitchen.places if wanted.kind <= ALIGNED else -1
            while 0 <= inner < kitchen.things:
                marks.matters[inner] = True
                inner = state.at[inner] - kitchen.places
        if wanted.kind == ACTIVATED or wanted.kind == IS_OPEN:
            marks.stood_at[wanted.thing] = True
            marks.started[wanted.thing] |= wanted.kind == ACTIVATED
            marks.lid[wanted.thing] |= wanted.kind == IS_OPEN
        elif wanted.kind == ALIGNED and 0 <= wanted.value - kitchen.places < kitchen.things:
            marks.stood_at[wanted.value - kitchen.places] = True


@kernel
def shortest(kitchens, all_marks, most_steps, states, words, parents, joints, table):
    """Search for a shortest plan from the first of the `states`; the index of its last state, FOUND_NOTHING or FULL.

    `words` are the bits of the states. `parents` leads back to the start, `joints` has the joint action that led to
    each state. `table` is a hash table whose length is a power of two.
    """
    kitchen, marks = kitchens[0], all_marks[0]
    count = kitchen.robots
    mark(states[0], kitchen, marks)
    places, things = kitchen.places, kitchen.things
    most = 1 + 4 * (places + things) + things * (5 + places + count)  # no robot can have more choices
    options = np.zeros((count, most, 3), np.int64)
    numbers = np.zeros(count, np.int64)
    pick = np.zeros(count, np.int64)
    mask = table.size - 1
    parents[0] = -1
    if reached(states[0], kitchen):
        return 0
    for limit in range(max(1, bound(states[0], kitchen)), most_steps + 1):
        table[:] = -1
        table[fingerprint(words, 0) & mask] = 0
        used, layer, depth, cut = 1, 0, 0, False
        while layer < used and depth < limit:
            layer_end = used
            depth += 1
            for current in range(layer, layer_end):
                for robot in range(count):
                    numbers[robot] = choices(states[current], kitchen, marks, robot, options[robot])
                pick[:] = 0
                while True:
                    place = 0  # the next joint action, like the digits of a number
                    while place < count and pick[place] + 1 == numbers[place]:
                        pick[place] = 0
                        place += 1
                    if place == count:
                        break
                    pick[place] += 1
                    joint = joints[used]
                    for robot in range(count):
                        joint.verb[robot] = options[robot, pick[robot], 0]
                        joint.first[robot] = options[robot, pick[robot], 1]
                        joint.second[robot] = options[robot, pick[robot], 2]
                    if conflicts(states[current], kitchen, joint) >= 0:
                        continue
                    states[used] = states[current]
                    apply(states[used], kitchen, joint)
                    if stages(states[used], kitchen) >= 0:
                        continue
                    if depth + bound(states[used], kitchen) > limit:
                        cut = True
                        continue
                    at = fingerprint(words, used) & mask
                    while table[at] >= 0 and not same(words, table[at], used):
                        at = (at + 1) & mask
                    if table[at] >= 0:
                        continue
                    table[at] = used
                    parents[used] = current
                    used += 1
                    if reached(states[used - 1], kitchen):
                        return used - 1
                    if used == len(states) - 1:
                        return FULL
            layer = layer_end
        if not cut and layer == used:
            return FOUND_NOTHING  # whatever can be reached was looked at
    return FOUND_NOTHING


@kernel
def same(words, one, other):
    i = 0
    while i < words.shape[1] and words[one, i] == words[other, i]:
        i += 1
    return i == words.shape[1]


@kernel
def fingerprint(words, which):
    value = np.uint64(1469598103934665603)
    for i in range(words.shape[1]):
        value = (value ^ words[which, i]) * np.uint64(0x9E3779B97F4A7C15)
        value ^= value >> np.uint64(32)
    return np.int64(value >> np.uint64(1))
