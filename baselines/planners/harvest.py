"""Harvest's heuristics: eat what is there, or leave enough for more to grow."""

from mmgames.baselines.planners.commons_steps import NOWHERE, go, nearest, roaming_place
from mmgames.baselines.planners.grid_steps import Walker
from mmgames.games._commons.maps import NUM_SOILS, SOILS
from mmgames.kernels.kernel import kernel

SPARED = 4  # an apple with fewer others around it is left to them


@kernel
def pick(state, seat, spared, noise):
    apple = nearest(state, seat, state.apples, spared, noise)
    if apple == NOWHERE:
        apple = roaming_place(state, seat, SOILS[state.map], NUM_SOILS[state.map])
    return go(state, seat, apple, spared > 0, noise)


@kernel
def greedy(state, seat, noise):
    """Walks to the nearest apple that it sees, and eats."""
    return pick(state, seat, 0, noise)


@kernel
def restrained(state, seat, noise):
    """Eats only apples that have others around them, and treads on no other."""
    return pick(state, seat, SPARED, noise)


Greedy = Walker.of("Greedy", greedy)
Restrained = Walker.of("Restrained", restrained)
