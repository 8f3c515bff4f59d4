"""The row of KnightsArchersZombies: whole pixels and timers, and reals for where players and arrows point."""

import numpy as np

from mmgames.kernels.kernel import inlined

WIDE, HIGH, WALL = 1280, 720, 100
"""The field in pixels, (0, 0) at the top left, and the walls on the left and on the right of it."""
BODY, ZOMBIE_WIDE, ZOMBIE_HIGH, ARROW, SWORD = 32, 29, 31, 46, 32
FORWARD, BACKWARD, LEFT, RIGHT, ATTACK, WAIT = range(6)
ACTIONS = 6

# Settings, then how far the episode is: steps, those since the last zombie came, how many zombies and arrows there
# are, and whether it is over.
ARCHERS, KNIGHTS, MOST_ZOMBIES, MOST_ARROWS, DELAY, DEADLY, HORIZON = range(7)
STEP, WAITED, ZOMBIES, ARROWS, OVER = range(7, 12)
PLAYER = OVER + 1
X, Y, HEADING, ALIVE, TIMER, SWING, SWORD_X, SWORD_Y, SCORE = range(9)
"""Of each player, archers first: the corner of its square, where it points in tens of degrees clockwise from up,
whether it lives, how long it cannot attack (archers) or do anything (knights), how far its sword has swung (0: it has
none), the corner of the sword, how many zombies it has killed."""
FIELDS = SCORE + 1
WOBBLE, OWNER = 2, 2  # of zombies and arrows, behind X and Y
THING = 3

SIDES = np.array([32, 37, 41, 43, 45, 45, 43, 41, 37] * 4)
"""How wide and high the square around a player is, by its heading."""


@inlined
def zombies_at(row):
    return PLAYER + FIELDS * (row[ARCHERS] + row[KNIGHTS])


@inlined
def arrows_at(row):
    return PLAYER + FIELDS * (row[ARCHERS] + row[KNIGHTS]) + THING * row[MOST_ZOMBIES]


@inlined
def headings_at(row):
    """The reals: a pair for each player, and then for each arrow."""
    return PLAYER + FIELDS * (row[ARCHERS] + row[KNIGHTS]) + THING * (row[MOST_ZOMBIES] + row[MOST_ARROWS])


@inlined
def flights_at(row):
    players = row[ARCHERS] + row[KNIGHTS]
    return PLAYER + FIELDS * players + THING * (row[MOST_ZOMBIES] + row[MOST_ARROWS]) + 2 * players
