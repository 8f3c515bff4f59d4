"""The rules of the planning world: what there is, what each skill needs and does, and when a goal is met.

Places, things and robots share one numbering of *nodes*: places first, then things, then robots. The last places are
the spots where the robots start, one each. `feasible` is long: what it called would be compiled for itself.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._world.names import CLOSE, GRASP, HANDOVER, INTERACT, MOVE, OPEN, PLACE, PUSH, REACH, VERBS
from mmgames.kernels.kernel import kernel, new_states
from mmgames.kernels.records import int8, int16, int64, record

AT, ALIGNED, ACTIVATED, IS_OPEN = 0, 1, 2, 3  # what a predicate looks at

# Why an action cannot be done. judge.py has the sentences.
(FINE, CANNOT, APART, SHUT, HANDS_FULL, NOT_REACHED, HELD, FIXED, EMPTY, NO_PLACE, NOT_THERE, NO_LID, LID, NOT_HOLDING,
 NO_HAND, NO_BOX, WRONG_NAME) = range(17)  # fmt: skip

GENTLE = 1 << REACH | 1 << PLACE  # what two robots may do to one thing in the same step
# Verbs for which a robot has to stand at a thing, have it in reach, be at its place, not have it shut in, have a hand.
BESIDE_IT = 1 << OPEN | 1 << CLOSE | 1 << INTERACT | 1 << PUSH
IN_REACH = 1 << GRASP | 1 << OPEN | 1 << CLOSE
AT_ITS_PLACE = 1 << REACH | 1 << GRASP
NOT_SHUT_IN = AT_ITS_PLACE | 1 << INTERACT
FREE_HAND = IN_REACH | 1 << INTERACT
STEP = -1  # instead of a robot: the end of a step
NOTHING, FAILED_RULE, FAILED_CONFLICT, FAILED_STAGES, FAILED_GOAL = range(5)

ROOM: tuple[int, ...] = (8, 16, 16, 8)
"""For so many robots, things, predicates and chains there is room. Larger tasks get eight times the room, and so on."""

FLAG = int8  # 1 or 0: compiled records have no arrays of bool_
ACTION = record(robot=int16, verb=int16, first=int16, second=int16)
"""What a plan has in a row: the actions of a step, then STEP."""

PREDICATE = record(thing=int64, kind=int64, value=int64, chain=int64, stage=int64)
"""`value` is where the thing is to be, or 1 or 0. With chain -1 it is a goal, true at the end."""


class Records(NamedTuple):
    """What the rules are about, as records with room for tasks up to some size."""

    state: np.dtype[Any]
    kitchen: np.dtype[Any]
    joint: np.dtype[Any]
    marks: np.dtype[Any]


@lru_cache(maxsize=512)
def records(*sizes: int) -> Records:
    """The records that have room for so many robots, things, predicates and chains."""
    room: tuple[int, ...] = ROOM
    while any(size > most for size, most in zip(sizes, room, strict=False)):
        room = tuple(8 * most for most in room)
    robots, things, predicates, chains = room
    state = record(
        stands=(int16, robots),  # where each robot is: a place or a thing
        near=(int16, (robots, 2)),  # the things that it has in reach, oldest first; -1: none
        at=(int16, things),  # where each thing is: a place, a thing, or the robot that holds it
        opened=(FLAG, things), active=(FLAG, things),
        unseen=(FLAG, things),  # in what a robot knows: it has not seen whether the thing is open or active
        completed=(FLAG, chains),  # chains whose stages have all come about
    )  # fmt: skip
    kitchen = record(
        robots=int64, things=int64, places=int64, predicates=int64, chains=int64,  # how many there are
        hands=(int8, robots),
        able=(FLAG, (robots, 1 + len(VERBS))),  # which verbs a robot can do
        support=(FLAG, things),  # whether things can be put on or into a thing
        openable=(FLAG, things), fixture=(FLAG, things), pushable=(FLAG, things),
        wanted=(PREDICATE, predicates),
    )  # fmt: skip
    joint = record(  # what everybody does in one step
        verb=(int8, robots), first=(int16, robots), second=(int16, robots),  # with the nodes that are named; -1: none
        end=(int16, robots),  # where those who move get to, and what is pushed
        clash=(FLAG, robots),  # who gets into each other's way
    )  # fmt: skip
    # For a search: which things one stands at, starts, opens or closes for a goal, has to do with.
    marks = record(stood_at=(FLAG, things), started=(FLAG, things), lid=(FLAG, things), matters=(FLAG, things))
    return Records(state, kitchen, joint, marks)


@kernel
def around(state, kitchen, node):
    """What a thing is in or on, who holds it, or what a robot stands at."""
    thing = node - kitchen.places
    return state.at[thing] if thing < kitchen.things else state.stands[thing - kitchen.things]


@kernel
def root(state, kitchen, node):
    """The place at the end of the way from a thing or robot to what it is in, on or at."""
    while node >= kitchen.places:
        node = around(state, kitchen, node)
    return node


@kernel
def below(state, kitchen, node, top):
    """Whether the way from `node` to its place passes `top`, or starts there."""
    while node != top and node >= kitchen.places:
        node = around(state, kitchen, node)
    return node == top


@kernel
def holder(state, kitchen, thing):
    """The robot that holds a thing, or -1."""
    return max(state.at[thing] - kitchen.places - kitchen.things, -1)


@kernel
def is_closed(state, kitchen, thing):
    return kitchen.openable[thing] and not state.opened[thing]


@kernel
def shut_in(state, kitchen, thing):
    """Whether a closed container is around a thing, near or far."""
    outer = state.at[thing] - kitchen.places
    while 0 <= outer < kitchen.things:
        if is_closed(state, kitchen, outer):
            return True
        outer = state.at[outer] - kitchen.places
    return False


@kernel
def carries(state, kitchen, robot):
    """How many things a robot has in its hands."""
    count = 0
    for thing in range(kitchen.things):
        count += state.at[thing] == kitchen.places + kitchen.things + robot
    return count


@kernel
def has_free_hand(state, kitchen, robot):
    return kitchen.hands[robot] > carries(state, kitchen, robot)


@kernel
def is_near(state, robot, thing):
    """Whether a robot has a thing in reach."""
    return state.near[robot, 0] == thing or state.near[robot, 1] == thing


@kernel
def at_thing(state, kitchen, robot, thing):
    """Whether a robot stands at a thing, or at something in or on it, or the thing lies at the robot's own spot."""
    if holder(state, kitchen, thing) >= 0:
        return False
    stands = state.stands[robot]
    return below(state, kitchen, stands, kitchen.places + thing) or (
        stands == kitchen.places - kitchen.robots + robot and state.at[thing] == stands
    )


@kernel
def feasible(state, kitchen, robot, verb, first, second):
    """FINE, or the rule that forbids an action in this state. `first` and `second` are nodes; -1: not named."""
    places, robots = kitchen.places, kitchen.places + kitchen.things  # the first nodes that are things, and robots
    if verb == 0:
        return FINE
    if not kitchen.able[robot, verb]:
        return CANNOT
    if verb == MOVE:
        return FINE
    mine = robots + robot
    here = root(state, kitchen, state.stands[robot])
    if verb == PLACE:
        if first >= robots:
            return NO_PLACE
        if carries(state, kitchen, robot) == 0:
            return EMPTY
        if second >= 0 and state.at[second - places] != mine:
            return NOT_HOLDING
        if first < places:
            return FINE if below(state, kitchen, state.stands[robot], first) else APART
        target = first - places
        if not kitchen.support[target]:
            return NO_PLACE
        if holder(state, kitchen, target) >= 0:
            return HELD
        # On what is to be put down, and it stays in hand.
        if below(state, kitchen, first, second if second >= 0 else mine):
            return HELD
        if root(state, kitchen, first) != here:
            return APART
        return SHUT if is_closed(state, kitchen, target) or shut_in(state, kitchen, target) else FINE
    if first < places or first >= robots:
        return WRONG_NAME
    thing = first - places
    if verb == HANDOVER:
        other = second - robots
        if other < 0:
            return WRONG_NAME
        if state.at[thing] != mine:
            return NOT_HOLDING
        if other == robot or kitchen.hands[other] == 0:
            return NO_HAND
        if root(state, kitchen, state.stands[other]) != here:
            return APART
        return FINE if has_free_hand(state, kitchen, other) else HANDS_FULL
    if verb == GRASP and kitchen.fixture[thing]:
        return FIXED
    if verb == PUSH and (not kitchen.pushable[thing] or second == first):
        return NO_BOX
    if OPEN <= verb <= CLOSE and not kitchen.openable[thing]:
        return NO_LID
    if OPEN <= verb <= CLOSE and state.opened[thing] == (verb == OPEN):
        return LID
    if verb == INTERACT and state.at[thing] == mine:
        return FINE
    if holder(state, kitchen, thing) >= 0:
        return HELD
    if BESIDE_IT >> verb & 1 and not at_thing(state, kitchen, robot, thing):
        return NOT_THERE
    if IN_REACH >> verb & 1 and not is_near(state, robot, thing):
        return NOT_REACHED
    if AT_ITS_PLACE >> verb & 1 and root(state, kitchen, first) != here:
        return APART
    if NOT_SHUT_IN >> verb & 1 and shut_in(state, kitchen, thing):
        return SHUT
    if FREE_HAND >> verb & 1 and kitchen.hands[robot] > 0 and not has_free_hand(state, kitchen, robot):
        return HANDS_FULL
    return FINE


@kernel
def conflicts(state, kitchen, joint):
    """Mark the robots whose actions in one step get into each other's way; the first of them, or -1."""
    places, robots = kitchen.places, kitchen.places + kitchen.things
    joint.clash[:] = 0
    for one in range(kitchen.robots):
        for other in range(one + 1, kitchen.robots):
            verb, theirs = joint.verb[one], joint.verb[other]
            if verb <= MOVE or theirs <= MOVE:
                continue
            hindered = False
            if verb == PLACE and theirs == PLACE:  # on what the other one carries and puts down at that moment
                hindered |= below(state, kitchen, joint.first[one], robots + other)
                hindered |= below(state, kitchen, joint.first[other], robots + one)
            if not GENTLE >> verb & GENTLE >> theirs & 1:
                for node in (joint.first[one], joint.second[one]):
                    hindered |= places <= node < robots and (node == joint.first[other] or node == joint.second[other])
            joint.clash[one] |= hindered
            joint.clash[other] |= hindered
    for one in range(kitchen.robots):  # a robot cannot be given more than it has hands for
        given = 0
        for other in range(kitchen.robots):
            given += joint.verb[other] == HANDOVER and joint.second[other] == robots + one
        taking = joint.verb[one] == GRASP
        if given and taking + given + carries(state, kitchen, one) > kitchen.hands[one]:
            joint.clash[one] |= taking
            for other in range(kitchen.robots):
                joint.clash[other] |= joint.verb[other] == HANDOVER and joint.second[other] == robots + one
    for one in range(kitchen.robots):
        if joint.clash[one]:
            return one
    return -1


@kernel
def forget(state, robot, thing):
    """A robot has a thing in reach no more."""
    if state.near[robot, 0] == thing:
        state.near[robot, 0], state.near[robot, 1] = state.near[robot, 1], -1
    elif state.near[robot, 1] == thing:
        state.near[robot, 1] = -1


@kernel
def reach(state, kitchen, robot, thing):
    """A robot has a thing in reach, and for each of its hands one thing at most: the oldest is forgotten."""
    forget(state, robot, thing)
    if state.near[robot, 0] == -1 or kitchen.hands[robot] == 1:
        state.near[robot, 0] = thing
    elif state.near[robot, 1] == -1:
        state.near[robot, 1] = thing
    else:
        state.near[robot, 0], state.near[robot, 1] = state.near[robot, 1], thing


@kernel
def arrive(state, robot, node):
    """A robot stands at a node and has nothing in reach yet."""
    state.stands[robot] = node
    state.near[robot, 0] = state.near[robot, 1] = -1


@kernel
def take_away(state, kitchen, thing, node):
    """A thing goes to a node. Nobody has it in reach; who stands at it, or at something on it, stands where it was."""
    for robot in range(kitchen.robots):
        forget(state, robot, thing)
        if below(state, kitchen, state.stands[robot], kitchen.places + thing):
            state.stands[robot] = state.at[thing]
    state.at[thing] = node


@kernel
def standing(state, kitchen, node):
    """Where a robot stands that has moved to a node: at the thing, or where the robot is that has it or is meant."""
    bearer = node - kitchen.places
    while 0 <= bearer < kitchen.things:
        bearer = state.at[bearer] - kitchen.places
    return state.stands[bearer - kitchen.things] if bearer >= kitchen.things else node


@kernel
def apply(state, kitchen, joint):
    """Carry out the actions of one step, all of them feasible and none in conflict."""
    # Where everybody goes and every box ends up is seen from the state before the step.
    for robot in range(kitchen.robots):
        if joint.verb[robot] == MOVE:
            joint.end[robot] = standing(state, kitchen, joint.first[robot])
        elif joint.verb[robot] == PUSH:
            joint.end[robot] = root(state, kitchen, joint.second[robot])
    for robot in range(kitchen.robots):
        if joint.verb[robot] == MOVE:
            arrive(state, robot, joint.end[robot])
    for robot in range(kitchen.robots):
        verb = joint.verb[robot]
        if verb == 0 or verb == MOVE:
            continue
        thing = joint.first[robot] - kitchen.places
        mine = kitchen.places + kitchen.things + robot
        if verb == REACH:
            reach(state, kitchen, robot, thing)
        elif verb == GRASP:
            take_away(state, kitchen, thing, mine)
        elif verb == PLACE:
            for carried in range(kitchen.things):
                is_meant = joint.second[robot] < 0 or joint.second[robot] == kitchen.places + carried
                if is_meant and state.at[carried] == mine:
                    state.at[carried] = joint.first[robot]
        elif OPEN <= verb <= CLOSE:
            state.opened[thing] = verb == OPEN
        elif verb == INTERACT:
            state.active[thing] = True
        elif verb == PUSH:
            if state.at[thing] != joint.end[robot]:
                take_away(state, kitchen, thing, joint.end[robot])
            arrive(state, robot, joint.first[robot])
        elif verb == HANDOVER:
            state.at[thing] = joint.second[robot]


@kernel
def holds(state, kitchen, predicate):
    """Whether a predicate is true."""
    if predicate.kind == AT:
        return state.at[predicate.thing] == predicate.value
    if predicate.kind == ALIGNED:
        return below(state, kitchen, state.at[predicate.thing], predicate.value)
    if predicate.kind == ACTIVATED:
        return state.active[predicate.thing] == bool(predicate.value)
    return state.opened[predicate.thing] == bool(predicate.value)


@kernel
def stages(state, kitchen):
    """Bring the chains up to date after a step; the chain in which a later stage came too early, or -1."""
    for chain in range(kitchen.chains):
        if state.completed[chain]:
            continue
        missing = -1  # the latest stage so far that does not hold
        for i in range(kitchen.predicates):
            wanted = kitchen.wanted[i]
            if wanted.chain != chain:
                continue
            if not holds(state, kitchen, wanted):
                missing = wanted.stage
                continue
            going_on = i + 1 < kitchen.predicates and kitchen.wanted[i + 1].chain == chain
            going_on = going_on and kitchen.wanted[i + 1].stage == wanted.stage
            if not going_on and 0 <= missing < wanted.stage:
                return chain
        state.completed[chain] = missing < 0
    return -1


@kernel
def missed(state, kitchen):
    """What is still missing: (FAILED_STAGES, a chain), (FAILED_GOAL, a predicate), or (NOTHING, -1)."""
    for chain in range(kitchen.chains):
        if not state.completed[chain]:
            return FAILED_STAGES, chain
    for i in range(kitchen.predicates):
        if kitchen.wanted[i].chain < 0 and not holds(state, kitchen, kitchen.wanted[i]):
            return FAILED_GOAL, i
    return NOTHING, -1


@kernel
def reached(state, kitchen):
    """Whether the goals hold and every chain has been completed."""
    return missed(state, kitchen)[0] == NOTHING


@kernel
def roots(states, kitchens, out):
    """Write for every node the place at which it is in the end."""
    for node in range(out.size):
        out[node] = root(states[0], kitchens[0], node)


@kernel
def unmet(states, kitchens, out):
    """Mark the predicates that are not true; whether the goals hold and every chain has been completed."""
    for i in range(out.size):
        out[i] = not holds(states[0], kitchens[0], kitchens[0].wanted[i])
    return reached(states[0], kitchens[0])


@kernel
def carry_out(states, kitchens, joints):
    """Carry out a step and bring the chains up to date; the chain in which a later stage came too early, or -1."""
    apply(states[0], kitchens[0], joints[0])
    return stages(states[0], kitchens[0])


@kernel
def judge(starts, kitchens, idle, actions):
    """What fails in a plan, in which step (0: at the end), whose action it is, and which rule, chain or predicate it is
    about. `idle` is a joint action in which nobody does anything."""
    states, joints = new_states(starts, 1), new_states(idle, 1)
    states[0], joints[0] = starts[0], idle[0]
    step = 1
    for i in range(len(actions)):
        robot, verb, first, second = actions[i].robot, actions[i].verb, actions[i].first, actions[i].second
        if robot != STEP:
            rule = feasible(states[0], kitchens[0], robot, verb, first, second)
            if rule != FINE:
                return FAILED_RULE, step, robot, rule
            joints[0].verb[robot], joints[0].first[robot], joints[0].second[robot] = verb, first, second
            continue
        robot = conflicts(states[0], kitchens[0], joints[0])
        if robot >= 0:
            return FAILED_CONFLICT, step, robot, 0
        chain = carry_out(states, kitchens, joints)
        if chain >= 0:
            return FAILED_STAGES, step, 0, chain
        joints[0] = idle[0]
        step += 1
    what, which = missed(states[0], kitchens[0])
    return what, 0, 0, which
