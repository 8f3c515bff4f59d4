"""Shortest plans: a breadth-first search over joint actions, pruned by a bound on the steps that are still needed.

The bound never overestimates, and the limit on steps plus bound grows by one until a plan is found: the first one is
a shortest one. Only actions that can matter are tried: nobody moves to a thing unless standing right there allows
more than standing nearby.

Two functions are long: each kernel that they called instead would be compiled for itself.
"""

from __future__ import annotations

import numpy as np

from mmgames.embodied._world.kernel import (
    ACTIVATED,
    ACTIVE,
    ALIGNED,
    AT,
    FINE,
    FIXTURE,
    IS_OPEN,
    OPENABLE,
    OPENED,
    PUSHABLE,
    apply,
    at_thing,
    conflicts,
    feasible,
    holder,
    holds,
    reached,
    root,
    shut_in,
    stages,
)  # fmt: skip
from mmgames.embodied._world.names import CLOSE, GRASP, HANDOVER, INTERACT, MOVE, PLACE, PUSH, REACH
from mmgames.kernels.kernel import kernel

FOUND_NOTHING, FULL = -1, -2


@kernel
def can(row, size, robots, things, robot, verb, first):
    # np.int64: Numba would compile the rules anew for every constant that they are called with.
    return feasible(row, size, robots, things, robot, np.int64(verb), first, np.int64(-1)) == FINE


@kernel
def fetching(row, size, robots, things, thing):
    """At least so many steps until somebody holds a thing: move, open what is around it, reach, grasp."""
    count, number, places = size[0], size[1], size[2]
    if holder(row, size, thing) >= 0:
        return 0
    here = root(row, size, places + thing)
    near = False
    for robot in range(count):
        if robots[robot, 0] == 0:
            continue
        near_hand = row[count + 2 * robot] == thing or row[count + 2 * robot + 1] == thing
        if near_hand and not shut_in(row, size, things, thing):
            return 1
        near |= root(row, size, row[robot]) == here
    if not shut_in(row, size, things, thing):
        return 2 if near else 3
    around = row[count * 3 + thing] - places
    while not things[around] & OPENABLE or row[count * 3 + number + around] & OPENED:
        around = row[count * 3 + around] - places
    before = 3  # move to it, reach it, open it
    for robot in range(count):
        if robots[robot, 0] > 0 and at_thing(row, size, robot, around):
            before = min(before, 2)
            if row[count + 2 * robot] == around or row[count + 2 * robot + 1] == around:
                before = 1
    return before + 2


@kernel
def bringing(row, size, things, thing, target):
    """At least so many steps from holding a thing to having it placed at a node."""
    places = size[2]
    fixed = target < places or bool(things[target - places] & FIXTURE)
    if not fixed:
        return 1
    robot = holder(row, size, thing)
    start = row[robot] if robot >= 0 else places + thing
    return 1 + (root(row, size, start) != root(row, size, target))


@kernel
def still(row, size, robots, things, predicate):
    """At least so many steps until a predicate holds."""
    if holds(row, size, predicate):
        return 0
    thing, kind, value = predicate[0], predicate[1], predicate[2]
    if kind == AT:
        return fetching(row, size, robots, things, thing) + bringing(row, size, things, thing, value)
    if kind == ALIGNED:
        return max(1, fetching(row, size, robots, things, thing))
    if kind == ACTIVATED:
        for robot in range(size[0]):
            if can(row, size, robots, things, robot, INTERACT, size[2] + thing):
                return 1
        return 2
    return 1


@kernel
def bound(row, size, robots, things, predicates):
    """At least so many steps until everything is done."""
    first = size[0] * 3 + size[1] * 2
    most = 0
    work = 0  # reaches and grasps that somebody has to do, one at a time
    for i in range(predicates.shape[0]):
        chain = predicates[i, 3]
        if chain >= 0 and row[first + chain]:
            continue
        steps = still(row, size, robots, things, predicates[i])
        if steps == 0:
            continue
        thing = predicates[i, 0]
        if predicates[i, 1] == AT:
            counted = False
            for j in range(i):
                counted |= predicates[j, 0] == thing and predicates[j, 1] == AT
            if not counted:
                work += min(fetching(row, size, robots, things, thing), 2)
        if chain >= 0 and predicates[i, 1] == AT:
            for j in range(predicates.shape[0]):
                # Putting something into a thing and starting that thing take two steps.
                starts = predicates[j, 3] == chain and predicates[j, 1] == ACTIVATED
                into = predicates[i, 2] == size[2] + predicates[j, 0]
                if starts and into and not holds(row, size, predicates[j]):
                    steps += 1
                    break
        if chain < 0 and predicates[i, 1] == AT:
            for j in range(predicates.shape[0]):
                # What has to be somewhere else first has to be taken away from there again.
                other = predicates[j, 3]
                if other < 0 or row[first + other] or predicates[j, 0] != thing or predicates[j, 1] != AT:
                    continue
                if predicates[j, 2] != predicates[i, 2]:
                    goal = predicates[i, 2]
                    fixed = goal < size[2] or bool(things[goal - size[2]] & FIXTURE)
                    away = fixed and root(row, size, goal) != root(row, size, predicates[j, 2])
                    before = still(row, size, robots, things, predicates[j])
                    steps = max(steps, before + 2 + away)
        most = max(most, steps)
    if work:
        hands = 0
        for robot in range(size[0]):
            hands += robots[robot, 0] > 0
        most = max(most, (work + hands - 1) // max(hands, 1) + 1)
    return most


@kernel
def choices(row, size, robots, things, predicates, robot, special, out):
    """Write the actions of a robot that can matter to `out`; their number. Doing nothing is the first."""
    count, number, places = size[0], size[1], size[2]
    mine = places + number + robot
    out[0, 0], out[0, 1], out[0, 2] = 0, -1, -1
    n = 1
    hands = robots[robot, 0]
    can_move = robots[robot, 1] >> MOVE & 1
    if can_move:
        for place in range(places):
            owner = place - (places - count)
            if owner >= 0 and robots[owner, 1] >> MOVE & 1:
                continue  # the spot of a robot that can come itself
            crowded = False
            for thing in range(number):
                if special[thing] & 1 and holder(row, size, thing) < 0 and root(row, size, places + thing) == place:
                    crowded = True
                    if row[robot] != places + thing:
                        out[n, 0], out[n, 1], out[n, 2] = MOVE, places + thing, -1
                        n += 1
            if not crowded and row[robot] != place:
                out[n, 0], out[n, 2] = MOVE, -1
                out[n, 1] = places + number + owner if owner >= 0 else place
                n += 1
    here = root(row, size, row[robot])
    held = 0
    for thing in range(number):
        node = places + thing
        if row[count * 3 + thing] == mine:
            held += 1
        idle = special[thing] & 2 and not row[count * 3 + number + thing] & ACTIVE
        if idle and can(row, size, robots, things, robot, INTERACT, node):
            out[n, 0], out[n, 1], out[n, 2] = INTERACT, node, -1
            n += 1
        if things[thing] & PUSHABLE and can(row, size, robots, things, robot, PUSH, node):
            for place in range(places):
                owner = place - (places - count)
                if place == here or (owner >= 0 and robots[owner, 1] >> MOVE & 1):
                    continue
                out[n, 0], out[n, 1] = PUSH, node
                out[n, 2] = places + number + owner if owner >= 0 else place
                n += 1
        if hands == 0 or not special[thing] & 16 or root(row, size, node) != here:
            continue
        near = row[count + 2 * robot] == thing or row[count + 2 * robot + 1] == thing
        wanted = not things[thing] & FIXTURE or (
            things[thing] & OPENABLE
            and (not row[count * 3 + number + thing] & OPENED or special[thing] & 4)
            and at_thing(row, size, robot, thing)
        )
        if wanted and not near and can(row, size, robots, things, robot, REACH, node):
            out[n, 0], out[n, 1], out[n, 2] = REACH, node, -1
            n += 1
        if not near:
            continue
        for verb in range(GRASP, CLOSE + 1):
            if verb == PLACE or (verb == CLOSE and not special[thing] & 4):
                continue
            if can(row, size, robots, things, robot, verb, node):
                out[n, 0], out[n, 1], out[n, 2] = verb, node, -1
                n += 1
    if held:
        for node in range(places + number):
            useful = node == here if node < places - count else node >= places and bool(special[node - places] & 8)
            for i in range(predicates.shape[0]):
                useful |= (predicates[i, 1] == AT or predicates[i, 1] == ALIGNED) and predicates[i, 2] == node
            if not useful or not can(row, size, robots, things, robot, PLACE, node):
                continue
            out[n, 0], out[n, 1], out[n, 2] = PLACE, node, -1
            n += 1
            if held == 2:
                for thing in range(number):
                    if row[count * 3 + thing] == mine:
                        out[n, 0], out[n, 1], out[n, 2] = PLACE, node, places + thing
                        n += 1
        for thing in range(number):
            if row[count * 3 + thing] != mine:
                continue
            for other in range(count):
                node = places + number + other
                if feasible(row, size, robots, things, robot, np.int64(HANDOVER), places + thing, node) == FINE:
                    out[n, 0], out[n, 1], out[n, 2] = HANDOVER, places + thing, node
                    n += 1
    return n


@kernel
def mark_special(row, size, things, predicates, special):
    """Which things one stands at (1), starts (2), opens or closes for a goal (4), can ferry things in (8), or has to do
    with at all (16)."""
    for thing in range(size[1]):
        special[thing] = 1 if things[thing] & FIXTURE else 25 if things[thing] & PUSHABLE else 0
    for i in range(predicates.shape[0]):
        thing, kind, value = predicates[i, 0], predicates[i, 1], predicates[i, 2]
        for end in range(2):  # the thing and what it goes to, with all that is around them
            node = size[2] + thing if end == 0 else value if kind <= ALIGNED else -1
            while size[2] <= node < size[2] + size[1]:
                special[node - size[2]] |= 16
                node = row[size[0] * 3 + node - size[2]]
        if kind == ACTIVATED:
            special[thing] |= 3
        elif kind == IS_OPEN:
            special[thing] |= 5
        elif kind == ALIGNED and value >= size[2]:
            special[value - size[2]] |= 1


@kernel
def shortest(start, size, robots, things, predicates, most_steps, rows, parents, doings, table):
    """Search for a shortest plan; the index of its last state in `rows`, FOUND_NOTHING or FULL.

    `parents` leads back to the start, `doings` has the joint action that led to each state. `table` is a hash table
    whose length is a power of two.
    """
    count = size[0]
    special = np.zeros(size[1], np.int64)
    mark_special(start, size, things, predicates, special)
    number, places = size[1], size[2]
    most = 1 + 4 * (places + number) + number * (5 + places + count)  # no robot can have more choices
    options = np.zeros((count, most, 3), np.int64)
    numbers = np.zeros(count, np.int64)
    pick = np.zeros(count, np.int64)
    acts = np.zeros((count, 3), np.int64)
    clash = np.zeros(count, np.int64)
    scratch = np.zeros(count, np.int64)
    mask = table.size - 1
    width = start.size
    fresh = start.copy()
    rows[0] = start
    parents[0] = -1
    if reached(fresh, size, predicates):
        return 0
    for limit in range(max(1, bound(fresh, size, robots, things, predicates)), most_steps + 1):
        table[:] = -1
        table[fingerprint(fresh) & mask] = 0
        used, layer, depth = 1, 0, 0
        while layer < used and depth < limit:
            layer_end = used
            depth += 1
            for current in range(layer, layer_end):
                row = rows[current]
                for robot in range(count):
                    numbers[robot] = choices(row, size, robots, things, predicates, robot, special, options[robot])
                pick[:] = 0
                while True:
                    place = 0  # the next joint action, like the digits of a number
                    while place < count and pick[place] + 1 == numbers[place]:
                        pick[place] = 0
                        place += 1
                    if place == count:
                        break
                    pick[place] += 1
                    for robot in range(count):
                        for i in range(3):
                            acts[robot, i] = options[robot, pick[robot], i]
                    if conflicts(row, size, robots, acts, clash):
                        continue
                    target = rows[used]
                    for i in range(width):
                        target[i] = row[i]
                    apply(target, size, robots, things, acts, scratch)
                    if stages(target, size, predicates) >= 0:
                        continue
                    if depth + bound(target, size, robots, things, predicates) > limit:
                        continue
                    at = fingerprint(target) & mask
                    known = False
                    while table[at] >= 0:
                        other = rows[table[at]]
                        known = True
                        for i in range(width):
                            if other[i] != target[i]:
                                known = False
                                break
                        if known:
                            break
                        at = (at + 1) & mask
                    if known:
                        continue
                    table[at] = used
                    parents[used] = current
                    for robot in range(count):
                        for i in range(3):
                            doings[used, robot, i] = acts[robot, i]
                    used += 1
                    if reached(target, size, predicates):
                        return used - 1
                    if used == rows.shape[0] - 1:
                        return FULL
            layer = layer_end
    return FOUND_NOTHING


@kernel
def fingerprint(row):
    value = np.uint64(1469598103934665603)
    for number in row:
        value = (value ^ np.uint64(number + 2)) * np.uint64(1099511628211)
    return np.int64(value ^ (value >> np.uint64(29))) & 0x7FFFFFFFFFFFFFFF
