"""Particles' agents: a plan for each seat of each scenario, made of what that seat sees and hears alone."""

import numpy as np

from mmgames.games.particles.rules import DAMPING, PAUSE
from mmgames.games.particles.scenarios import (
    ACCEL,
    ADVERSARY,
    HUNTS,
    IS_HUNT,
    MOVES,
    PUSH,
    REFERENCE,
    SIZE,
    SPEAKER,
    SPREAD,
    TAG,
    WORLD,
)
from mmgames.games.particles.seen import FIRST_FOOD, FIRST_FOREST, distance, sees
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import PolicyAgent

COAST = PAUSE / DAMPING  # how far a player goes on by itself, of its speed
ORDERS = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
AHEAD, CROWDED, WALL, BLOCKED = 0.3, 0.6, 0.9, 0.12
"""How far hunters look ahead of the prey, where prey begins to flee, where its field ends, and how far it stays from
obstacles."""


@kernel
def steer(state, seat, across, along):
    """The push that brings a player nearest to a place, when it then coasts."""
    right = across - state.place[seat, 0] - COAST * state.speed[seat, 0]
    up = along - state.place[seat, 1] - COAST * state.speed[seat, 1]
    enough = ACCEL[state.scenario, seat] * PAUSE * COAST / 2.0
    if max(abs(right), abs(up)) < enough:
        return 0
    if abs(right) >= abs(up):
        return 2 if right > 0.0 else 1
    return 4 if up > 0.0 else 3


@inlined
def steer_to(state, seat, entity):
    return steer(state, seat, state.place[entity, 0], state.place[entity, 1])


@inlined
def landmark_of(state, seat):
    """Who goes to which of three landmarks: the order with the shortest ways."""
    best, found = 1e9, 0
    for order in range(len(ORDERS)):
        total = 0.0
        for other in range(3):
            total += distance(state, other, 3 + ORDERS[order, other])
        if total < best:
            best, found = total, order
    return 3 + ORDERS[found, seat]


@kernel
def guarded_landmark(state, first, last):
    """The landmark that one of the players from first to last is nearest to."""
    best, found = 1e9, len(state.said)
    for thing in range(len(state.said), len(state.place)):
        for seat in range(first, last):
            far = distance(state, seat, thing)
            if far < best:
                best, found = far, thing
    return found


@inlined
def deceive(state, seat):
    """The nearer of the two who know goes to the landmark, the other one to the other landmark."""
    if seat == 0:
        return steer_to(state, seat, guarded_landmark(state, 1, 3))
    goal = 3 + state.secret[0]
    other = 7 - goal  # there are two
    straight = distance(state, 1, goal) + distance(state, 2, other)
    crossed = distance(state, 1, other) + distance(state, 2, goal)
    return steer_to(state, seat, goal if (seat == 1) == (straight <= crossed) else other)


@inlined
def in_sight(state, seat, other):
    return state.scenario == TAG or sees(state, seat, other)


@kernel
def nearest_of_the_others(state, seat):
    """The nearest player of the other side that one sees, -1 if one sees none."""
    which, best, found = state.scenario, 1e9, -1
    for other in range(len(state.said)):
        if HUNTS[which, other] != HUNTS[which, seat] and in_sight(state, seat, other):
            far = distance(state, seat, other)
            if far < best:
                best, found = far, other
    return found


@kernel
def chase(state, seat):
    """Towards where the prey will be; whoever sees none goes to the quarter that the leader has named."""
    prey = nearest_of_the_others(state, seat)
    if prey < 0:
        word = state.said[0]
        if word < 0:
            return 0
        return steer(state, seat, 0.5 if word % 2 else -0.5, 0.5 if word // 2 else -0.5)
    lead = min(AHEAD, distance(state, seat, prey))
    across = state.place[prey, 0] + lead * state.speed[prey, 0]
    along = state.place[prey, 1] + lead * state.speed[prey, 1]
    return steer(state, seat, across, along)


@inlined
def named_quarter(state, seat):
    """The leader's word: the quarter of the field in which the prey is that is nearest to it."""
    prey = nearest_of_the_others(state, seat)
    return (1 if state.place[prey, 0] > 0.0 else 0) + (2 if state.place[prey, 1] > 0.0 else 0)


@inlined
def flee(state, seat):
    """The push after which one coasts to the safest place: far from hunters, inside, clear of obstacles, near food."""
    which, players, best, found = state.scenario, len(state.said), -1e9, 0
    for move in range(MOVES):
        push = ACCEL[which, seat] * PAUSE * COAST * (1.0 if move % 2 == 0 else -1.0)
        across = state.place[seat, 0] + COAST * state.speed[seat, 0]
        along = state.place[seat, 1] + COAST * state.speed[seat, 1]
        if 1 <= move <= 2:
            across += push
        elif move >= 3:
            along += push
        value = 0.0
        for other in range(players):
            if HUNTS[which, other] and in_sight(state, seat, other):
                right, up = across - state.place[other, 0], along - state.place[other, 1]
                value -= max(0.0, CROWDED - (right * right + up * up) ** 0.5) * 4.0
        value -= 8.0 * (max(0.0, abs(across) - WALL) + max(0.0, abs(along) - WALL))
        for thing in range(players, len(state.place)):
            right, up = across - state.place[thing, 0], along - state.place[thing, 1]
            far = (right * right + up * up) ** 0.5
            number = thing - players
            if which == WORLD and FIRST_FOOD <= number < FIRST_FOREST:
                value += max(0.0, 0.5 - far)
            elif which == TAG or number < FIRST_FOOD:
                value -= 4.0 * max(0.0, SIZE[which, thing] + BLOCKED - far)
        if value > best:
            best, found = value, move
    if which == WORLD and best > -0.05 and nearest_of_the_others(state, seat) < 0:
        return steer_to(state, seat, nearest_food(state, seat))
    return found


@inlined
def nearest_food(state, seat):
    first = len(state.said) + FIRST_FOOD
    return first if distance(state, seat, first) <= distance(state, seat, first + 1) else first + 1


@kernel
def talk(state, seat):
    """Words stand for landmarks by their numbers; alice adds the key to the message, and bob takes it away."""
    which = state.scenario
    if which == SPEAKER:
        if seat == 0:
            return state.secret[0]
        return steer_to(state, seat, 2 + state.said[0]) if state.said[0] >= 0 else 0
    if which == REFERENCE:
        heard = state.said[1 - seat]
        move = steer_to(state, seat, 2 + heard) if 0 <= heard < 3 else 0
        return move + MOVES * state.secret[seat]
    if seat == 2:
        return state.secret[0] ^ state.secret[1]
    heard = state.said[2]
    if heard < 0:
        return 0
    return (heard ^ state.secret[1] if seat == 1 else heard) % 2


@kernel
def heuristic(state, seat, noise):
    """Covers, chases, flees, deceives and talks."""
    which = state.scenario
    if which == SPREAD:
        return steer_to(state, seat, landmark_of(state, seat))
    if which == ADVERSARY:
        return deceive(state, seat)
    if which == PUSH:
        return steer_to(state, seat, 2 + state.secret[0] if seat == 1 else guarded_landmark(state, 1, 2))
    if IS_HUNT[which]:
        if not HUNTS[which, seat]:
            return flee(state, seat)
        move = chase(state, seat)
        return move + MOVES * named_quarter(state, seat) if which == WORLD and seat == 0 else move
    return talk(state, seat)


@kernel
def straight(state, seat, noise):
    """The same without deceit, and without falling for it.

    In adversary both who know go to the landmark, and the rival waits between the two."""
    if state.scenario != ADVERSARY:
        return heuristic(state, seat, noise)
    if seat > 0:
        return steer_to(state, seat, 3 + state.secret[0])
    across, along = state.place[3, 0] + state.place[4, 0], state.place[3, 1] + state.place[4, 1]
    return steer(state, seat, across / 2.0, along / 2.0)


Heuristic = PolicyAgent.of("Heuristic", heuristic)
Straight = PolicyAgent.of("Straight", straight)
