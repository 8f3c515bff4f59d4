"""The rules of all eight scenarios: where things start, how players move and push each other, what they say."""

import math

import numpy as np

from mmgames.games.particles.pay import pay
from mmgames.games.particles.row import (
    GOAL,
    HORIZON,
    PLACE,
    SAID,
    SCENARIO,
    SECOND,
    SILENCE,
    STEP,
    WOODS,
    look_into_woods,
    speeds_at,
    totals_at,
)
from mmgames.games.particles.scenarios import (
    ACCEL,
    ACTIONS,
    CAN_MOVE,
    COLLIDES,
    ENTITIES,
    FASTEST,
    MOST_PLAYERS,
    MOVES,
    PLAYERS,
    REACH,
    SECRETS,
    SIZE,
    SPEAKS,
    WORLD,
)
from mmgames.kernels.kernel import below, fork, fraction, inlined, kernel, reals, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY

PAUSE, DAMPING, CONTACT, MARGIN = 0.1, 0.25, 1e2, 1e-3
APART = 40.0 * MARGIN
"""Contacts that are further apart than that push with less than a number of this size can tell."""
PLACES, GOALS, SECONDS = range(3)  # what is drawn from the noise


@kernel
def start(row, noise):
    numbers, which = reals(row), row[SCENARIO]
    players, entities = PLAYERS[which], ENTITIES[which]
    row[STEP] = 0
    bits = fork(noise, PLACES)
    for entity in range(entities):
        reach = 1.0 if entity < players else REACH[which]
        for axis in range(2):
            bits = scramble(bits)
            numbers[PLACE + 2 * entity + axis] = (2.0 * fraction(bits) - 1.0) * reach
    for place in range(PLACE + 2 * entities, PLACE + 2 * entities + 3 * players):
        numbers[place] = 0.0
    for seat in range(MOST_PLAYERS):
        row[SAID + seat] = SILENCE
    row[GOAL] = below(fork(noise, GOALS), SECRETS[which])
    row[SECOND] = below(fork(noise, SECONDS), SECRETS[which])
    row[WOODS] = 0
    if which == WORLD:
        look_into_woods(row)


@kernel
def turn(row):
    return EVERYBODY if row[STEP] < row[HORIZON] else NOBODY


@kernel
def moves(row, seat, out):
    count = ACTIONS[row[SCENARIO], seat]
    for action in range(count):
        out[action] = action
    return count


@kernel
def contact(numbers, which, one, force):
    """The soft contacts of a player with all that come after it; landmarks push, and are not pushed."""
    players = PLAYERS[which]
    for other in range(one + 1, ENTITIES[which]):
        if COLLIDES[which, other]:
            across = numbers[PLACE + 2 * one] - numbers[PLACE + 2 * other]
            along = numbers[PLACE + 2 * one + 1] - numbers[PLACE + 2 * other + 1]
            apart = math.sqrt(across * across + along * along)
            gap = apart - (SIZE[which, one] + SIZE[which, other])
            if gap < APART and apart > 0.0:
                depth = math.log1p(math.exp(-abs(gap) / MARGIN))
                if gap < 0.0:
                    depth -= gap / MARGIN
                depth *= MARGIN
                across, along = CONTACT * across / apart * depth, CONTACT * along / apart * depth
                force[2 * one] += across
                force[2 * one + 1] += along
                if other < players:
                    force[2 * other] -= across
                    force[2 * other + 1] -= along


@inlined
def is_crowded(numbers, which):
    """Whether anything is near enough to push: most of the time nothing is."""
    for one in range(PLAYERS[which]):
        if COLLIDES[which, one]:
            across, along = numbers[PLACE + 2 * one], numbers[PLACE + 2 * one + 1]
            for other in range(one + 1, ENTITIES[which]):
                if COLLIDES[which, other]:
                    near = SIZE[which, one] + SIZE[which, other] + APART
                    right, up = across - numbers[PLACE + 2 * other], along - numbers[PLACE + 2 * other + 1]
                    if right * right + up * up < near * near:
                        return True
    return False


@inlined
def integrate(numbers, which, speeds, seat, right, up):
    """A player moves on by its speed, and what acts on it changes the speed."""
    across, along = numbers[speeds + 2 * seat], numbers[speeds + 2 * seat + 1]
    numbers[PLACE + 2 * seat] += across * PAUSE
    numbers[PLACE + 2 * seat + 1] += along * PAUSE
    across, along = across * (1.0 - DAMPING) + right * PAUSE, along * (1.0 - DAMPING) + up * PAUSE
    most = FASTEST[which, seat]
    if most > 0.0:
        speed = math.sqrt(across * across + along * along)
        if speed > most:
            across, along = across / speed * most, along / speed * most
    numbers[speeds + 2 * seat] = across
    numbers[speeds + 2 * seat + 1] = along


@kernel
def move_crowd(row, actions):
    """As `move_apart`, where somebody is touched."""
    numbers, which, speeds = reals(row), row[SCENARIO], speeds_at(row)
    force = np.zeros(2 * MOST_PLAYERS)
    for seat in range(PLAYERS[which]):
        move = actions[seat] % MOVES
        if move > 0:
            force[2 * seat + (move - 1) // 2] = ACCEL[which, seat] if move % 2 == 0 else -ACCEL[which, seat]
    for seat in range(PLAYERS[which]):
        contact(numbers, which, seat, force)
    for seat in range(PLAYERS[which]):
        integrate(numbers, which, speeds, seat, force[2 * seat], force[2 * seat + 1])


@inlined
def move_apart(row, numbers, which, actions):
    """Everybody moves on by its own push alone."""
    speeds = speeds_at(row)
    for seat in range(PLAYERS[which]):
        if CAN_MOVE[which, seat]:
            move = actions[seat] % MOVES
            push = ACCEL[which, seat] if move % 2 == 0 else -ACCEL[which, seat]
            right, up = push if 1 <= move <= 2 else 0.0, push if move >= 3 else 0.0
            integrate(numbers, which, speeds, seat, right, up)


@kernel
def step(row, actions, noise):
    numbers, which = reals(row), row[SCENARIO]
    for seat in range(PLAYERS[which]):
        if SPEAKS[which, seat]:
            row[SAID + seat] = actions[seat] // MOVES if CAN_MOVE[which, seat] else actions[seat]
    if is_crowded(numbers, which):
        move_crowd(row, actions)
    else:
        move_apart(row, numbers, which, actions)
    if which == WORLD:
        look_into_woods(row)
    row[STEP] += 1
    pay(row, numbers, which)


@kernel
def returns(row, out):
    numbers, totals = reals(row), totals_at(row)
    for seat in range(PLAYERS[row[SCENARIO]]):
        out[seat] = numbers[totals + seat]
