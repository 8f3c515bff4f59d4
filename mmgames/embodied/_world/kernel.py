"""The rules of the planning world as kernels over one row of numbers.

Places, things and robots share one numbering of *nodes*: places first, then things, then robots. The last places are
the spots where the robots start, one each. A state is a row of int64:

    where each robot stands (a place or a thing) · what it has in reach, oldest first, two slots each (-1: none) ·
    where each thing is (a place, a thing, or the robot that holds it) · flags of each thing (OPENED, ACTIVE) ·
    for every chain of stages whether it has been completed

`size` is (robots, things, places, chains). `robots` has (hands, verbs as bits), `things` has (bits of what it is).

`feasible` is long: each kernel that it called instead would be compiled for itself.
"""

from __future__ import annotations

import numpy as np

from mmgames.embodied._world.names import CLOSE, GRASP, HANDOVER, INTERACT, MOVE, OPEN, PLACE, PUSH, REACH
from mmgames.kernels.kernel import kernel

SUPPORT, OPENABLE, FIXTURE, PUSHABLE = 1, 2, 4, 8  # bits of what a thing is
OPENED, ACTIVE = 1, 2  # flags of a thing
AT, ALIGNED, ACTIVATED, IS_OPEN = 0, 1, 2, 3  # what a predicate looks at

# Why an action cannot be done. judge.py has the sentences.
(FINE, CANNOT, APART, SHUT, HANDS_FULL, NOT_REACHED, HELD, FIXED, EMPTY, NO_PLACE, NOT_THERE, NO_LID, LID, NOT_HOLDING,
 NO_HAND, NO_BOX, WRONG_NAME) = range(17)  # fmt: skip

GENTLE = 1 << REACH | 1 << PLACE  # what two robots may do to one thing in the same step
STEP = -1  # the end of a step in a row of codes
NOTHING, FAILED_RULE, FAILED_CONFLICT, FAILED_STAGES, FAILED_GOAL = range(5)


@kernel
def root(row, size, node):
    """The place at the end of the way from a thing or robot to what it is in, on or at."""
    robots, things, places = size[0], size[1], size[2]
    while node >= places:
        if node >= places + things:
            node = row[node - places - things]
        else:
            node = row[robots * 3 + node - places]
    return node


@kernel
def holder(row, size, thing):
    """The robot that holds a thing, or -1."""
    node = row[size[0] * 3 + thing]
    return node - size[2] - size[1] if node >= size[2] + size[1] else -1


@kernel
def below(row, size, node, top):
    """Whether the way from `node` to its place passes `top`, or starts there."""
    robots, things, places = size[0], size[1], size[2]
    while node != top and node >= places:
        if node >= places + things:
            node = row[node - places - things]
        else:
            node = row[robots * 3 + node - places]
    return node == top


@kernel
def shut_in(row, size, things, thing):
    """Whether a closed container is around a thing, near or far."""
    robots, number, places = size[0], size[1], size[2]
    node = row[robots * 3 + thing]
    while places <= node < places + number:
        around = node - places
        if things[around] & OPENABLE and not row[robots * 3 + number + around] & OPENED:
            return True
        node = row[robots * 3 + around]
    return False


@kernel
def free_hands(row, size, robots, robot):
    hands = robots[robot, 0]
    mine = size[2] + size[1] + robot
    for thing in range(size[1]):
        hands -= row[size[0] * 3 + thing] == mine
    return hands


@kernel
def at_thing(row, size, robot, thing):
    """Whether a robot stands at a thing, or at something in or on it, or the thing lies at the robot's own spot."""
    node = size[2] + thing
    if holder(row, size, thing) >= 0:
        return False
    stands = row[robot]
    return below(row, size, stands, node) or (
        stands == size[2] - size[0] + robot and row[size[0] * 3 + thing] == stands
    )


@kernel
def feasible(row, size, robots, things, robot, verb, first, second):
    """FINE, or the rule that forbids an action in this state. `first` and `second` are nodes; -1: not named."""
    number, places = size[1], size[2]
    if verb == 0:
        return FINE
    if not robots[robot, 1] >> verb & 1:
        return CANNOT
    mine = places + number + robot
    here = root(row, size, row[robot])
    if verb == MOVE:
        return FINE
    if verb == PLACE:
        if first >= places + number:
            return NO_PLACE
        carried = 0
        for thing in range(number):
            carried += row[size[0] * 3 + thing] == mine
        if carried == 0:
            return EMPTY
        if second >= 0 and row[size[0] * 3 + second - places] != mine:
            return NOT_HOLDING
        if first < places:
            return FINE if below(row, size, row[robot], first) else APART
        target = first - places
        if not things[target] & SUPPORT:
            return NO_PLACE
        if holder(row, size, target) >= 0:
            return HELD
        if below(row, size, first, second if second >= 0 else mine):  # on what is to be put down, and it stays in hand
            return HELD
        if root(row, size, first) != here:
            return APART
        if shut_in(row, size, things, target):
            return SHUT
        if things[target] & OPENABLE and not row[size[0] * 3 + number + target] & OPENED:
            return SHUT
        return FINE
    if first < places or first >= places + number:
        return WRONG_NAME
    thing = first - places
    where = row[size[0] * 3 + thing]
    held = holder(row, size, thing)
    if verb == REACH:
        if held >= 0:
            return HELD
        if root(row, size, first) != here:
            return APART
        return SHUT if shut_in(row, size, things, thing) else FINE
    if verb == GRASP:
        if things[thing] & FIXTURE:
            return FIXED
        if held >= 0:
            return HELD
        if row[size[0] + 2 * robot] != thing and row[size[0] + 2 * robot + 1] != thing:
            return NOT_REACHED
        if root(row, size, first) != here:
            return APART
        if shut_in(row, size, things, thing):
            return SHUT
        return FINE if free_hands(row, size, robots, robot) > 0 else HANDS_FULL
    if OPEN <= verb <= CLOSE:
        if not things[thing] & OPENABLE:
            return NO_LID
        if bool(row[size[0] * 3 + number + thing] & OPENED) == (verb == OPEN):
            return LID
        if not at_thing(row, size, robot, thing):
            return NOT_THERE
        if row[size[0] + 2 * robot] != thing and row[size[0] + 2 * robot + 1] != thing:
            return NOT_REACHED
        return FINE if free_hands(row, size, robots, robot) > 0 else HANDS_FULL
    if verb == INTERACT:
        if where == mine:
            return FINE
        if held >= 0:
            return HELD
        if not at_thing(row, size, robot, thing):
            return NOT_THERE
        if shut_in(row, size, things, thing):
            return SHUT
        return FINE if robots[robot, 0] == 0 or free_hands(row, size, robots, robot) > 0 else HANDS_FULL
    if verb == PUSH:
        if not things[thing] & PUSHABLE or second == first:
            return NO_BOX
        if held >= 0:
            return HELD
        return FINE if at_thing(row, size, robot, thing) else NOT_THERE
    other = second - places - number  # HANDOVER
    if other < 0:
        return WRONG_NAME
    if where != mine:
        return NOT_HOLDING
    if other == robot or robots[other, 0] == 0:
        return NO_HAND
    if root(row, size, row[other]) != here:
        return APART
    return FINE if free_hands(row, size, robots, other) > 0 else HANDS_FULL


@kernel
def conflicts(row, size, robots, acts, clash):
    """Mark in `clash` the robots whose actions in one step get into each other's way; their number."""
    number, places = size[1], size[2]
    clash[:] = 0
    for one in range(size[0]):
        verb = acts[one, 0]
        if verb == 0 or verb == MOVE:
            continue
        for other in range(one + 1, size[0]):
            second = acts[other, 0]
            if second == 0 or second == MOVE:
                continue
            if verb == PLACE and second == PLACE:  # on what the other one carries and puts down at that moment
                theirs = below(row, size, acts[one, 1], places + number + other)
                if theirs or below(row, size, acts[other, 1], places + number + one):
                    clash[one] = clash[other] = 1
            if GENTLE >> verb & GENTLE >> second & 1:
                continue
            for i in range(1, 3):
                node = acts[one, i]
                if places <= node < places + number and (node == acts[other, 1] or node == acts[other, 2]):
                    clash[one] = clash[other] = 1
    for one in range(size[0]):  # a robot cannot be given more than it has hands for
        taking = 1 if acts[one, 0] == GRASP else 0
        given = 0
        for other in range(size[0]):
            given += acts[other, 0] == HANDOVER and acts[other, 2] == places + number + one
        if given and taking + given > free_hands(row, size, robots, one):
            clash[one] |= taking
            for other in range(size[0]):
                if acts[other, 0] == HANDOVER and acts[other, 2] == places + number + one:
                    clash[other] = 1
    total = 0
    for one in range(size[0]):
        total += clash[one]
    return total


@kernel
def leave_behind(row, size, thing):
    """Whoever stands at a thing that is about to go, or at something on it, stands where it was."""
    node = size[2] + thing
    left = row[size[0] * 3 + thing]
    for robot in range(size[0]):
        if below(row, size, row[robot], node):
            row[robot] = left


@kernel
def forget(row, size, thing):
    """Nobody has a thing in reach any more."""
    for slot in range(size[0], size[0] * 3, 2):
        if row[slot] == thing:
            row[slot] = row[slot + 1]
            row[slot + 1] = -1
        elif row[slot + 1] == thing:
            row[slot + 1] = -1


@kernel
def carrier(row, size, thing):
    """The robot that carries a thing, in its hand or in something it holds; -1: nobody."""
    robots, number, places = size[0], size[1], size[2]
    node = row[robots * 3 + thing]
    while places <= node < places + number:
        node = row[robots * 3 + node - places]
    return node - places - number if node >= places + number else -1


@kernel
def standing(row, size, node):
    """Where a robot stands that has moved to a node: at the thing, or where the robot is that has it or is meant."""
    number, places = size[1], size[2]
    if node < places:
        return node
    robot = node - places - number if node >= places + number else carrier(row, size, node - places)
    return node if robot < 0 else row[robot]


@kernel
def apply(row, size, robots, things, acts, scratch):
    """Carry out the actions of one step, all of them feasible and none in conflict. Changes `row`."""
    number, places = size[1], size[2]
    count = size[0]
    # Where everybody goes and every box ends up is seen from the state before the step.
    for robot in range(count):
        verb = acts[robot, 0]
        if verb == MOVE:
            scratch[robot] = standing(row, size, acts[robot, 1])
        elif verb == PUSH:
            scratch[robot] = root(row, size, acts[robot, 2])
    for robot in range(count):
        if acts[robot, 0] == MOVE:
            row[robot] = scratch[robot]
            row[count + 2 * robot] = -1
            row[count + 2 * robot + 1] = -1
    for robot in range(count):
        verb = acts[robot, 0]
        if verb == 0 or verb == MOVE:
            continue
        thing = acts[robot, 1] - places
        mine = places + number + robot
        if verb == REACH:
            slot = count + 2 * robot
            if row[slot] == thing:
                row[slot] = row[slot + 1]
                row[slot + 1] = -1
            if row[slot + 1] == thing:
                row[slot + 1] = -1
            if row[slot] == -1 or robots[robot, 0] == 1:
                row[slot] = thing
            elif row[slot + 1] == -1:
                row[slot + 1] = thing
            else:
                row[slot] = row[slot + 1]
                row[slot + 1] = thing
        elif verb == GRASP:
            leave_behind(row, size, thing)
            forget(row, size, thing)
            row[count * 3 + thing] = mine
        elif verb == PLACE:
            if acts[robot, 2] >= 0:
                row[count * 3 + acts[robot, 2] - places] = acts[robot, 1]
            else:
                for carried in range(number):
                    if row[count * 3 + carried] == mine:
                        row[count * 3 + carried] = acts[robot, 1]
        elif verb == OPEN:
            row[count * 3 + number + thing] |= OPENED
        elif verb == CLOSE:
            row[count * 3 + number + thing] &= ~OPENED
        elif verb == INTERACT:
            row[count * 3 + number + thing] |= ACTIVE
        elif verb == PUSH:
            if row[count * 3 + thing] != scratch[robot]:
                leave_behind(row, size, thing)
                row[count * 3 + thing] = scratch[robot]
                forget(row, size, thing)
            row[robot] = acts[robot, 1]
            row[count + 2 * robot] = -1
            row[count + 2 * robot + 1] = -1
        elif verb == HANDOVER:
            row[count * 3 + thing] = acts[robot, 2]


@kernel
def holds(row, size, predicate):
    """Whether a predicate (thing, what to look at, wanted value, …) is true."""
    robots, number = size[0], size[1]
    thing, kind, value = predicate[0], predicate[1], predicate[2]
    if kind == AT:
        return row[robots * 3 + thing] == value
    if kind == ALIGNED:
        return below(row, size, row[robots * 3 + thing], value)
    flag = ACTIVE if kind == ACTIVATED else OPENED
    return bool(row[robots * 3 + number + thing] & flag) == bool(value)


@kernel
def stages(row, size, predicates):
    """Bring the chains up to date after a step; the chain in which a later stage came too early, or -1."""
    first = size[0] * 3 + size[1] * 2
    for chain in range(size[3]):
        if row[first + chain]:
            continue
        missing = False  # a stage that does not hold yet
        stage = -1
        holding = True
        for i in range(predicates.shape[0] + 1):
            ended = i == predicates.shape[0] or predicates[i, 3] != chain
            if (ended or predicates[i, 4] != stage) and stage >= 0:
                if holding and missing:
                    return chain
                missing |= not holding
                holding = True
                stage = -1
            if not ended:
                stage = predicates[i, 4]
                holding &= holds(row, size, predicates[i])
        row[first + chain] = not missing
    return -1


@kernel
def reached(row, size, predicates):
    """Whether the goals hold and every chain has been completed."""
    first = size[0] * 3 + size[1] * 2
    done = True
    for chain in range(size[3]):
        done &= bool(row[first + chain])
    for i in range(predicates.shape[0]):
        done &= predicates[i, 3] >= 0 or holds(row, size, predicates[i])
    return done


@kernel
def judge(start, size, robots, things, predicates, codes):
    """Play a plan; 0 if it works, otherwise what failed and, in the next bytes, step + 1, robot, and rule or number.

    `codes` has one number for every action (see `code`) and STEP after each step.
    """
    count = size[0]
    row = start.copy()
    clash = np.zeros(count, np.int64)
    scratch = np.zeros(count, np.int64)
    acts = np.zeros((count, 3), np.int64)
    step = 1
    for code in codes:
        if code != STEP:
            robot = code & 0xFF
            verb, first, second = code >> 8 & 0xFF, (code >> 16 & 0xFFFF) - 1, (code >> 32 & 0xFFFF) - 1
            rule = feasible(row, size, robots, things, robot, verb, first, second)
            if rule != FINE:
                return FAILED_RULE | step << 8 | robot << 24 | rule << 32
            acts[robot, 0], acts[robot, 1], acts[robot, 2] = verb, first, second
            continue
        if conflicts(row, size, robots, acts, clash):
            return FAILED_CONFLICT | step << 8 | clash.argmax() << 24
        apply(row, size, robots, things, acts, scratch)
        chain = stages(row, size, predicates)
        if chain >= 0:
            return FAILED_STAGES | step << 8 | chain << 32
        acts[:, 0] = 0
        step += 1
    for chain in range(size[3]):
        if not row[size[0] * 3 + size[1] * 2 + chain]:
            return FAILED_STAGES | chain << 32
    for i in range(predicates.shape[0]):
        if predicates[i, 3] < 0 and not holds(row, size, predicates[i]):
            return FAILED_GOAL | i << 32
    return 0


def code(robot: int, verb: int, first: int = -1, second: int = -1) -> int:
    """One action as one number, as `judge` takes it."""
    return robot | verb << 8 | first + 1 << 16 | second + 1 << 32
