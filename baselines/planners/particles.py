"""Particles' agents: a plan for each seat of each scenario, made of what that seat sees and hears alone."""

import numpy as np

from mmgames.games.particles.kernel import DAMPING, PAUSE
from mmgames.games.particles.row import (
    FIRST_FOOD,
    FIRST_FOREST,
    GOAL,
    PLACE,
    SAID,
    SCENARIO,
    SECOND,
    distance,
    sees,
    speeds_at,
)
from mmgames.games.particles.scenarios import (
    ACCEL,
    ADVERSARY,
    ENTITIES,
    HUNTS,
    IS_HUNT,
    MOVES,
    PLAYERS,
    PUSH,
    REFERENCE,
    SIZE,
    SPEAKER,
    SPREAD,
    TAG,
    WORLD,
)
from mmgames.kernels.kernel import inlined, kernel, reals
from mmgames.kernels.kernel_game import RowAgent

COAST = PAUSE / DAMPING
"""How far a player goes on by itself, of its speed."""
ORDERS = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
AHEAD, CROWDED, WALL, BLOCKED = 0.3, 0.6, 0.9, 0.12
"""How far hunters look ahead of the prey, where prey begins to flee, where its field ends, and how far it stays from
obstacles."""


@kernel
def steer(row, seat, across, along):
    """The push that brings a player nearest to a place, when it then coasts."""
    numbers, speeds = reals(row), speeds_at(row)
    right = across - numbers[PLACE + 2 * seat] - COAST * numbers[speeds + 2 * seat]
    up = along - numbers[PLACE + 2 * seat + 1] - COAST * numbers[speeds + 2 * seat + 1]
    enough = ACCEL[row[SCENARIO], seat] * PAUSE * COAST / 2.0
    if max(abs(right), abs(up)) < enough:
        return 0
    if abs(right) >= abs(up):
        return 2 if right > 0.0 else 1
    return 4 if up > 0.0 else 3


@inlined
def steer_to(row, seat, entity):
    numbers = reals(row)
    return steer(row, seat, numbers[PLACE + 2 * entity], numbers[PLACE + 2 * entity + 1])


@kernel
def landmark_of(row, seat):
    """Who goes to which of three landmarks: the order with the shortest ways."""
    numbers, best, found = reals(row), 1e9, 0
    for order in range(len(ORDERS)):
        total = 0.0
        for other in range(3):
            total += distance(numbers, other, 3 + ORDERS[order, other])
        if total < best:
            best, found = total, order
    return 3 + ORDERS[found, seat]


@kernel
def guarded_landmark(row, first, last):
    """The landmark that one of the players from first to last is nearest to."""
    numbers, which = reals(row), row[SCENARIO]
    best, found = 1e9, PLAYERS[which]
    for thing in range(PLAYERS[which], ENTITIES[which]):
        for seat in range(first, last):
            far = distance(numbers, seat, thing)
            if far < best:
                best, found = far, thing
    return found


@kernel
def deceive(row, seat):
    """The nearer of the two who know goes to the landmark, the other one to the other landmark."""
    if seat == 0:
        return steer_to(row, seat, guarded_landmark(row, 1, 3))
    numbers, goal = reals(row), 3 + row[GOAL]
    other = 7 - goal  # there are two
    straight = distance(numbers, 1, goal) + distance(numbers, 2, other)
    crossed = distance(numbers, 1, other) + distance(numbers, 2, goal)
    return steer_to(row, seat, goal if (seat == 1) == (straight <= crossed) else other)


@inlined
def in_sight(row, seat, other):
    return row[SCENARIO] == TAG or sees(row, seat, other)


@kernel
def nearest_of_the_others(row, seat):
    """The nearest player of the other side that one sees, -1 if one sees none."""
    numbers, which = reals(row), row[SCENARIO]
    best, found = 1e9, -1
    for other in range(PLAYERS[which]):
        if HUNTS[which, other] != HUNTS[which, seat] and in_sight(row, seat, other):
            far = distance(numbers, seat, other)
            if far < best:
                best, found = far, other
    return found


@kernel
def chase(row, seat):
    """Towards where the prey will be; whoever sees none goes to the quarter that the leader has named."""
    numbers, speeds = reals(row), speeds_at(row)
    prey = nearest_of_the_others(row, seat)
    if prey < 0:
        word = row[SAID]
        if word < 0:
            return 0
        return steer(row, seat, 0.5 if word % 2 else -0.5, 0.5 if word // 2 else -0.5)
    lead = min(AHEAD, distance(numbers, seat, prey))
    across = numbers[PLACE + 2 * prey] + lead * numbers[speeds + 2 * prey]
    along = numbers[PLACE + 2 * prey + 1] + lead * numbers[speeds + 2 * prey + 1]
    return steer(row, seat, across, along)


@kernel
def named_quarter(row, seat):
    """The leader's word: the quarter of the field in which the prey is that is nearest to it."""
    numbers, prey = reals(row), nearest_of_the_others(row, seat)
    return (1 if numbers[PLACE + 2 * prey] > 0.0 else 0) + (2 if numbers[PLACE + 2 * prey + 1] > 0.0 else 0)


@kernel
def flee(row, seat):
    """The push after which one coasts to the safest place: far from hunters, inside, clear of obstacles, near food."""
    numbers, which, speeds = reals(row), row[SCENARIO], speeds_at(row)
    best, found = -1e9, 0
    for move in range(MOVES):
        push = ACCEL[which, seat] * PAUSE * COAST * (1.0 if move % 2 == 0 else -1.0)
        across = numbers[PLACE + 2 * seat] + COAST * numbers[speeds + 2 * seat]
        along = numbers[PLACE + 2 * seat + 1] + COAST * numbers[speeds + 2 * seat + 1]
        if 1 <= move <= 2:
            across += push
        elif move >= 3:
            along += push
        value = 0.0
        for other in range(PLAYERS[which]):
            if HUNTS[which, other] and in_sight(row, seat, other):
                right, up = across - numbers[PLACE + 2 * other], along - numbers[PLACE + 2 * other + 1]
                value -= max(0.0, CROWDED - (right * right + up * up) ** 0.5) * 4.0
        value -= 8.0 * (max(0.0, abs(across) - WALL) + max(0.0, abs(along) - WALL))
        for thing in range(PLAYERS[which], ENTITIES[which]):
            right, up = across - numbers[PLACE + 2 * thing], along - numbers[PLACE + 2 * thing + 1]
            far = (right * right + up * up) ** 0.5
            number = thing - PLAYERS[which]
            if which == WORLD and FIRST_FOOD <= number < FIRST_FOREST:
                value += max(0.0, 0.5 - far)
            elif which == TAG or number < FIRST_FOOD:
                value -= 4.0 * max(0.0, SIZE[which, thing] + BLOCKED - far)
        if value > best:
            best, found = value, move
    if which == WORLD and best > -0.05 and nearest_of_the_others(row, seat) < 0:
        return steer_to(row, seat, nearest_food(row, seat))
    return found


@kernel
def nearest_food(row, seat):
    numbers, first = reals(row), PLAYERS[WORLD] + FIRST_FOOD
    return first if distance(numbers, seat, first) <= distance(numbers, seat, first + 1) else first + 1


@kernel
def talk(row, seat):
    """Words stand for landmarks by their numbers; alice adds the key to the message, and bob takes it away."""
    which = row[SCENARIO]
    if which == SPEAKER:
        if seat == 0:
            return row[GOAL]
        return steer_to(row, seat, 2 + row[SAID]) if row[SAID] >= 0 else 0
    if which == REFERENCE:
        heard = row[SAID + 1 - seat]
        move = steer_to(row, seat, 2 + heard) if 0 <= heard < 3 else 0
        return move + MOVES * row[GOAL + seat]
    if seat == 2:
        return row[GOAL] ^ row[SECOND]
    heard = row[SAID + 2]
    if heard < 0:
        return 0
    return (heard ^ row[SECOND] if seat == 1 else heard) % 2


@kernel
def heuristic(row, seat, noise):
    which = row[SCENARIO]
    if which == SPREAD:
        return steer_to(row, seat, landmark_of(row, seat))
    if which == ADVERSARY:
        return deceive(row, seat)
    if which == PUSH:
        return steer_to(row, seat, 2 + row[GOAL] if seat == 1 else guarded_landmark(row, 1, 2))
    if IS_HUNT[which]:
        if not HUNTS[which, seat]:
            return flee(row, seat)
        move = chase(row, seat)
        return move + MOVES * named_quarter(row, seat) if which == WORLD and seat == 0 else move
    return talk(row, seat)


@kernel
def straight(row, seat, noise):
    """As the heuristic, but in adversary both who know go to the landmark, and the rival waits between the two."""
    if row[SCENARIO] != ADVERSARY:
        return heuristic(row, seat, noise)
    if seat > 0:
        return steer_to(row, seat, 3 + row[GOAL])
    numbers, first = reals(row), PLACE + 2 * PLAYERS[ADVERSARY]
    return steer(
        row, seat, (numbers[first] + numbers[first + 2]) / 2.0, (numbers[first + 1] + numbers[first + 3]) / 2.0
    )


class Heuristic(RowAgent):
    """Covers, chases, flees, deceives and talks."""

    policy = heuristic


class Straight(RowAgent):
    """The same without deceit, and without falling for it."""

    policy = straight
