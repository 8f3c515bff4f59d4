"""What a step of Particles pays."""

import math

from mmgames.games.particles.row import (
    FIRST_FOOD,
    FIRST_FOREST,
    GOAL,
    PLACE,
    RATIO,
    SAID,
    SECOND,
    distance,
    totals_at,
    touch,
)
from mmgames.games.particles.scenarios import (
    ADVERSARY,
    CRYPTO,
    ENTITIES,
    HUNTS,
    IS_HUNT,
    PLAYERS,
    PUSH,
    REFERENCE,
    SPEAKER,
    SPREAD,
    TAG,
    WORLD,
)
from mmgames.kernels.kernel import inlined

NEAR, FAR, MOST = 0.9, 1.0, 10.0  # where the edge of the field begins to cost, and what it costs at the most


def dearest_step(which: int, ratio: float, farthest: float) -> float:
    """The most that a step can cost anybody, where nobody is farther than this from anything."""
    if which == SPREAD:
        return 3 * farthest * (1 - ratio) + 2 * ratio
    if which == SPEAKER:
        return farthest**2
    hunt = {TAG: 3 * 10 + 2 * MOST, WORLD: 4 * 5 + 2 * 2 * MOST + 0.1 * farthest}
    return hunt.get(which, max(farthest, 2.0))  # the rest loses a distance at the most, or 2 by a guess


@inlined
def to_landmarks(numbers, which):
    """How far the nearest player is from each landmark, all of them together."""
    players, total = PLAYERS[which], 0.0
    for thing in range(players, ENTITIES[which]):
        nearest = distance(numbers, 0, thing)
        for seat in range(1, players):
            nearest = min(nearest, distance(numbers, seat, thing))
        total += nearest
    return total


@inlined
def edge(numbers, seat):
    """What it costs to be at the edge of the field or beyond."""
    cost = 0.0
    for axis in range(2):
        out = abs(numbers[PLACE + 2 * seat + axis])
        if out >= FAR:
            cost += min(math.exp(2.0 * out - 2.0), MOST) if out < 10.0 else MOST
        elif out >= NEAR:
            cost += (out - NEAR) * 10.0
    return cost


@inlined
def caught(numbers, which, seat):
    """How many touch this player from the other side."""
    count = 0
    for other in range(PLAYERS[which]):
        if HUNTS[which, other] != HUNTS[which, seat] and touch(numbers, which, seat, other):
            count += 1
    return count


@inlined
def all_caught(numbers, which):
    """How many pairs of hunter and prey touch each other."""
    count = 0
    for seat in range(PLAYERS[which]):
        if HUNTS[which, seat]:
            count += caught(numbers, which, seat)
    return count


@inlined
def pay_hunt(row, numbers, which, totals):
    """Tag, and world_comm with its food and its pull towards the prey."""
    players, pairs = PLAYERS[which], all_caught(numbers, which)
    pays = 10.0 if which == TAG else 5.0
    for seat in range(players):
        if HUNTS[which, seat]:
            if which == WORLD:
                nearest = 1e9
                for other in range(players):
                    if not HUNTS[which, other]:
                        nearest = min(nearest, distance(numbers, seat, other))
                numbers[totals + seat] -= 0.1 * nearest
            numbers[totals + seat] += pays * pairs
        else:
            numbers[totals + seat] -= pays * caught(numbers, which, seat)
            numbers[totals + seat] -= edge(numbers, seat) * (1.0 if which == TAG else 2.0)
            if which == WORLD:
                nearest = 1e9
                for food in range(players + FIRST_FOOD, players + FIRST_FOREST):
                    if touch(numbers, which, seat, food):
                        numbers[totals + seat] += 2.0
                    nearest = min(nearest, distance(numbers, seat, food))
                numbers[totals + seat] -= 0.05 * nearest


@inlined
def pay_spread(row, numbers, which, totals):
    everybody = to_landmarks(numbers, which) * (1.0 - numbers[RATIO])
    for seat in range(PLAYERS[which]):
        numbers[totals + seat] -= everybody
    for one in range(PLAYERS[which]):
        for other in range(one + 1, PLAYERS[which]):
            if touch(numbers, which, one, other):
                numbers[totals + one] -= numbers[RATIO]
                numbers[totals + other] -= numbers[RATIO]


@inlined
def wrong(row, seat):
    """What a guess of the message costs."""
    return 0.0 if row[SAID + seat] == row[GOAL] else 2.0


@inlined
def pay(row, numbers, which):
    """What everybody gets for a step. The landmark that is meant comes behind the players."""
    totals, goal = totals_at(row), PLAYERS[which] + row[GOAL]
    if which == SPREAD:
        pay_spread(row, numbers, which, totals)
    elif which == ADVERSARY:
        rival = distance(numbers, 0, goal)
        gained = rival - min(distance(numbers, 1, goal), distance(numbers, 2, goal))
        numbers[totals] -= rival
        numbers[totals + 1] += gained
        numbers[totals + 2] += gained
    elif IS_HUNT[which]:
        pay_hunt(row, numbers, which, totals)
    elif which == PUSH:
        walker = distance(numbers, 1, goal)
        numbers[totals] += walker - distance(numbers, 0, goal)
        numbers[totals + 1] -= walker
    elif which == SPEAKER:
        far = distance(numbers, 1, goal)
        numbers[totals] -= far * far
        numbers[totals + 1] -= far * far
    elif which == REFERENCE:
        one, other = distance(numbers, 1, goal), distance(numbers, 0, PLAYERS[which] + row[SECOND])
        both = (one + other) / 2.0 * (1.0 - numbers[RATIO])
        numbers[totals] -= both + one * numbers[RATIO]
        numbers[totals + 1] -= both + other * numbers[RATIO]
    elif which == CRYPTO:
        eve, bob = wrong(row, 0), wrong(row, 1)
        numbers[totals] -= eve
        numbers[totals + 1] += eve - bob
        numbers[totals + 2] += eve - bob
