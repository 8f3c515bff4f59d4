"""The row of Particles, and what is measured in it.

Settings, the time, what is secret, the last words; then reals: how much of a reward is one's own, the places of all
entities, the speeds of the players, what they have collected. How many entities and players there are is the
scenario's, so a row is as long as it needs.
"""

import math

from mmgames.games.particles.scenarios import (
    ENTITIES,
    MOST_PLAYERS,
    PLAYERS,
    SIZE,
    WORLD,
)
from mmgames.kernels.kernel import inlined, kernel, reals

SCENARIO, HORIZON, STEP, GOAL, SECOND, WOODS = range(6)
"""GOAL is the landmark that is meant, and in crypto the message; SECOND is the other one's in reference, and in crypto
the key. WOODS has three bits for each player of world_comm: in the first forest, in the second, and, in a row that was
made of a view, not seen at all."""
SAID = WOODS + 1
RATIO = SAID + MOST_PLAYERS
PLACE = RATIO + 1
SILENCE = -1
FIRST_FOOD, FIRST_FOREST, FORESTS = 1, 3, 2  # among the things of world_comm
BITS, IN_FOREST, UNSEEN = 3, 3, 4  # of each player in WOODS


@inlined
def speeds_at(row):
    return PLACE + 2 * ENTITIES[row[SCENARIO]]


@inlined
def totals_at(row):
    return PLACE + 2 * ENTITIES[row[SCENARIO]] + 2 * PLAYERS[row[SCENARIO]]


@inlined
def squared(numbers, one, other):
    """The squared distance of two entities."""
    across = numbers[PLACE + 2 * one] - numbers[PLACE + 2 * other]
    along = numbers[PLACE + 2 * one + 1] - numbers[PLACE + 2 * other + 1]
    return across * across + along * along


@inlined
def distance(numbers, one, other):
    return math.sqrt(squared(numbers, one, other))


@inlined
def touch(numbers, which, one, other):
    near = SIZE[which, one] + SIZE[which, other]
    return squared(numbers, one, other) < near * near


@kernel
def look_into_woods(row):
    """Who is in which forest. Who is nowhere is not seen."""
    numbers, found = reals(row), 0
    for seat in range(PLAYERS[WORLD]):
        bits = UNSEEN if numbers[PLACE + 2 * seat] != numbers[PLACE + 2 * seat] else 0
        for forest in range(FORESTS):
            if touch(numbers, WORLD, seat, PLAYERS[WORLD] + FIRST_FOREST + forest):
                bits |= 1 << forest
        found |= bits << BITS * seat
    row[WOODS] = found


@inlined
def sees(row, seat, other):
    """Whether a player of world_comm sees another: in the same forest, or both in none; the leader sees all."""
    me, it = row[WOODS] >> BITS * seat, row[WOODS] >> BITS * other
    return it & UNSEEN == 0 and (seat == 0 or me & it & IN_FOREST != 0 or (me | it) & IN_FOREST == 0)
