"""Harvest's heuristics: eat what is there, or leave enough for more to grow."""

from mmgames.baselines.planners.commons_steps import NOWHERE, go, nearest, roaming_place
from mmgames.baselines.planners.grid_steps import Walker
from mmgames.games._commons.maps import NUM_SOILS, SOIL, SOILS
from mmgames.games._commons.rules import MAP
from mmgames.kernels.kernel import kernel

SPARED = 4
"""An apple with fewer others around it is left to them."""


@kernel
def pick(row, seat, spared, noise):
    apple = nearest(row, seat, SOIL, spared, noise)
    if apple == NOWHERE:
        apple = roaming_place(row, seat, SOILS[row[MAP]], NUM_SOILS[row[MAP]])
    return go(row, seat, apple, spared > 0, noise)


@kernel
def greedy(row, seat, noise):
    return pick(row, seat, 0, noise)


@kernel
def restrained(row, seat, noise):
    return pick(row, seat, SPARED, noise)


class Greedy(Walker):
    """Walks to the nearest apple that it sees, and eats."""

    policy = greedy


class Restrained(Walker):
    """Eats only apples that have others around them, and treads on no other."""

    policy = restrained
