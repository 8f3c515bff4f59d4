"""What a player of KnightsArchersZombies observes, as features: itself, then everything by its distance and place."""

import math

import numpy as np

from mmgames.games.knights_archers_zombies.row import (
    ALIVE,
    ARCHERS,
    ARROWS,
    FIELDS,
    HIGH,
    KNIGHTS,
    MOST_ARROWS,
    OWNER,
    PLAYER,
    SWING,
    SWORD_X,
    SWORD_Y,
    THING,
    WIDE,
    ZOMBIES,
    X,
    Y,
    arrows_at,
    flights_at,
    headings_at,
    zombies_at,
)
from mmgames.kernels.kernel import inlined, kernel, reals

LINE = 5
"""Numbers for each thing: its distance, where it is from here, where it points."""
DIAGONAL = math.sqrt(2.0)


@inlined
def bounded(number):
    return np.float32(1.0 if number > 1.0 else -1.0 if number < -1.0 else number)


@inlined
def write(out, at, x, y, mine_x, mine_y, right, down):
    across, along = x / WIDE - mine_x, y / HIGH - mine_y
    out[at] = bounded(math.sqrt(across * across + along * along) / DIAGONAL)
    out[at + 1], out[at + 2] = bounded(across), bounded(along)
    out[at + 3], out[at + 4] = bounded(right), bounded(down)


@inlined
def write_players(row, numbers, mine_x, mine_y, out):
    """The living, each at its own place, and then the swords that are out, one after the other."""
    players, headings = row[ARCHERS] + row[KNIGHTS], headings_at(row)
    swords = LINE * (1 + players)
    for seat in range(players):
        me, right, down = PLAYER + FIELDS * seat, numbers[headings + 2 * seat], numbers[headings + 2 * seat + 1]
        if row[me + ALIVE]:
            write(out, LINE * (1 + seat), row[me + X], row[me + Y], mine_x, mine_y, right, down)
        if row[me + SWING]:
            write(out, swords, row[me + SWORD_X], row[me + SWORD_Y], mine_x, mine_y, right, down)
            swords += LINE


@kernel
def features(row, seat, out):
    numbers, me = reals(row), PLAYER + FIELDS * seat
    players, headings, flights = row[ARCHERS] + row[KNIGHTS], headings_at(row), flights_at(row)
    for place in range(out.size):
        out[place] = 0.0
    mine_x, mine_y = row[me + X] / WIDE, row[me + Y] / HIGH
    out[1], out[2] = bounded(mine_x), bounded(mine_y)
    out[3], out[4] = bounded(numbers[headings + 2 * seat]), bounded(numbers[headings + 2 * seat + 1])
    write_players(row, numbers, mine_x, mine_y, out)
    at = LINE * (1 + players + row[KNIGHTS])
    for archer in range(row[ARCHERS]):
        for which in range(row[ARROWS]):
            arrow = arrows_at(row) + THING * which
            if row[arrow + OWNER] == archer:
                right, down = numbers[flights + 2 * which], numbers[flights + 2 * which + 1]
                write(out, at, row[arrow + X], row[arrow + Y], mine_x, mine_y, right, down)
                at += LINE
    at = LINE * (1 + players + row[KNIGHTS] + row[MOST_ARROWS])
    for which in range(row[ZOMBIES]):
        zombie = zombies_at(row) + THING * which
        write(out, at, row[zombie + X], row[zombie + Y], mine_x, mine_y, 0.0, 1.0)
        at += LINE
