"""Cleanup's heuristics: eat only, clean only, or take turns."""

from mmgames.baselines.planners.commons_steps import NOWHERE, go, holds, is_in_sight, nearest, roaming_place
from mmgames.baselines.planners.grid_steps import Walker
from mmgames.games._commons.maps import NUM_SOILS, NUM_WATERS, SOIL, SOILS, WATER, WATERS
from mmgames.games._commons.rules import (
    AT,
    CLEAN,
    FACING,
    GRID,
    MAP,
    PLAYERS,
    REACH,
    STEP,
    WHO,
    WIDE,
    across,
    along,
)
from mmgames.kernels.kernel import kernel

TURN = 25
"""Those who take turns clean for so many steps, one after another."""


@kernel
def would_clean(row, seat):
    """Whether a player who cleans now meets waste that it sees."""
    at, way = row[AT + seat], row[FACING + seat]
    right, up, wide = across(way), along(way), row[WIDE]
    for beside in range(-1, 2):
        for far in range(1, row[REACH] + 1):
            x, y = at % wide + far * right + beside * up, at // wide + far * up + beside * right
            if not is_in_sight(row, at, x, y):
                break
            if holds(row, y * wide + x, WATER):
                return True
            if row[GRID + y * wide + x] >> WHO:
                break
    return False


@kernel
def eat(row, seat, noise):
    apple = nearest(row, seat, SOIL, 0, noise)
    if apple == NOWHERE:
        apple = roaming_place(row, seat, SOILS[row[MAP]], NUM_SOILS[row[MAP]])
    return go(row, seat, apple, False, noise)


@kernel
def clean(row, seat, noise):
    if would_clean(row, seat):
        return CLEAN
    waste = nearest(row, seat, WATER, 0, noise)
    if waste == NOWHERE:
        waste = roaming_place(row, seat, WATERS[row[MAP]], NUM_WATERS[row[MAP]])
    return go(row, seat, waste, False, noise)


@kernel
def take_turns(row, seat, noise):
    if row[STEP] // TURN % row[PLAYERS] == seat:
        return clean(row, seat, noise)
    return eat(row, seat, noise)


class Eater(Walker):
    """Walks to the nearest apple that it sees, and never cleans."""

    policy = eat


class Cleaner(Walker):
    """Cleans wherever it sees waste, and eats what it happens to walk over."""

    policy = clean


class TurnTaker(Walker):
    """Cleans when it is its turn, for 25 steps, and eats otherwise."""

    policy = take_turns
