"""What each seat of Particles observes, as features."""

import numpy as np

from mmgames.games.particles.row import (
    BITS,
    FORESTS,
    GOAL,
    PLACE,
    SAID,
    SCENARIO,
    SECOND,
    WOODS,
    sees,
    speeds_at,
)
from mmgames.games.particles.scenarios import (
    BRIGHT,
    CRYPTO,
    DIM,
    ENTITIES,
    GOAL_COLOUR,
    HEARD,
    HUNTS,
    IN_WOODS,
    KEY,
    MESSAGE,
    OBSERVES,
    OWN_COLOUR,
    OWN_PLACE,
    OWN_SPEED,
    PLAYERS,
    PREY_IN_WOODS,
    PREY_SPEEDS,
    REFERENCE,
    THING_COLOURS,
    TO_GOAL,
    TO_OTHERS,
    TO_THINGS,
    WORDS,
    WORLD,
)
from mmgames.kernels.kernel import inlined, kernel, reals

WIDE, FAST = 3.0, 2.0
"""Features are places and distances by the first, speeds by the second."""
PER_WIDE, PER_FAST = 1.0 / WIDE, 1.0 / FAST
COLOURS = 3


@inlined
def bounded(number):
    return np.float32(1.0 if number > 1.0 else -1.0 if number < -1.0 else number)


@inlined
def write_towards(numbers, across, along, other, out, at):
    out[at] = bounded((numbers[PLACE + 2 * other] - across) * PER_WIDE)
    out[at + 1] = bounded((numbers[PLACE + 2 * other + 1] - along) * PER_WIDE)


@inlined
def write_one_of(which, high, low, count, out, at):
    """A colour, or a word: one of several numbers is higher than the others."""
    for place in range(count):
        out[at + place] = high if place == which else low


@inlined
def write_forests(row, seat, out, at):
    for forest in range(FORESTS):
        out[at + forest] = 1.0 if row[WOODS] >> BITS * seat + forest & 1 else -1.0
    return at + FORESTS


@inlined
def write_signs(row, numbers, seat, observes, out, at):
    """Forests, speeds of prey, colours and words."""
    which, speeds = row[SCENARIO], speeds_at(row)
    if observes & PREY_IN_WOODS:
        at = write_forests(row, seat, out, at)
    if observes & PREY_SPEEDS:
        for other in range(PLAYERS[which]):
            if other != seat and not HUNTS[which, other]:
                seen = which != WORLD or sees(row, seat, other)
                out[at] = bounded(numbers[speeds + 2 * other] * PER_FAST) if seen else np.float32(0.0)
                out[at + 1] = bounded(numbers[speeds + 2 * other + 1] * PER_FAST) if seen else np.float32(0.0)
                at += 2
    if observes & IN_WOODS:
        at = write_forests(row, seat, out, at)
    if observes & GOAL_COLOUR:
        write_one_of(row[GOAL + seat], BRIGHT[which], DIM[which], COLOURS, out, at)
        at += COLOURS
    if observes & MESSAGE:
        write_one_of(row[GOAL], 1.0, 0.0, WORDS[which], out, at)
        at += WORDS[which]
    if observes & KEY:
        write_one_of(row[SECOND], 1.0, 0.0, WORDS[which], out, at)
        at += WORDS[which]
    if observes & HEARD:
        speaker = 1 - seat if which == REFERENCE else 2 if which == CRYPTO else 0
        write_one_of(row[SAID + speaker], 1.0, 0.0, WORDS[which], out, at)
        at += WORDS[which]
    return at


@kernel
def features(row, seat, out):
    """What mpe2 lets the seat observe, in its order; zeros behind it where others observe more."""
    numbers, which = reals(row), row[SCENARIO]
    players, entities, observes, speeds = PLAYERS[which], ENTITIES[which], OBSERVES[which, seat], speeds_at(row)
    across, along, at = numbers[PLACE + 2 * seat], numbers[PLACE + 2 * seat + 1], 0
    if observes & OWN_SPEED:
        out[0] = bounded(numbers[speeds + 2 * seat] * PER_FAST)
        out[1] = bounded(numbers[speeds + 2 * seat + 1] * PER_FAST)
        at = 2
    if observes & OWN_PLACE:
        out[at] = bounded(across * PER_WIDE)
        out[at + 1] = bounded(along * PER_WIDE)
        at += 2
    if observes & TO_GOAL:
        write_towards(numbers, across, along, players + row[GOAL], out, at)
        at += 2
    if observes & OWN_COLOUR:
        write_one_of(row[GOAL] + 1, BRIGHT[which], DIM[which], COLOURS, out, at)
        at += COLOURS
    if observes & TO_THINGS:
        for thing in range(players, entities):
            write_towards(numbers, across, along, thing, out, at)
            at += 2
    if observes & THING_COLOURS:
        for thing in range(2):
            write_one_of(thing + 1, 0.9, 0.1, COLOURS, out, at)
            at += COLOURS
    if observes & TO_OTHERS:
        for other in range(players):
            if other != seat:
                if which != WORLD or sees(row, seat, other):
                    write_towards(numbers, across, along, other, out, at)
                else:
                    out[at] = out[at + 1] = 0.0
                at += 2
    at = write_signs(row, numbers, seat, observes, out, at)
    for place in range(at, out.size):
        out[place] = 0.0
