"""Harvest: apples grow back the sooner the more of them are left around, and not at all where none is."""

from typing import Any

import numpy as np

from mmgames.games._commons.maps import AROUND, NEAR, NEARBY, NUM_SOILS, SOILS
from mmgames.games._commons.rules import GROWS, MILLION, NO_ONE, Commons, act, put_on_map
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble

CHANCES = (0.0, 0.005, 0.02, 0.05)
"""How likely an apple grows in a step, with 0, 1, 2 and 3 or more apples nearby: as in the literature."""
ENOUGH = len(CHANCES) - 1


@kernel
def start(state, noise):
    """All apples hang."""
    put_on_map(state, noise)
    for which in range(NUM_SOILS[state.map]):
        state.apples[SOILS[state.map, which]] = 1


@kernel
def step(state, actions, noise):
    act(state, actions, noise)
    grow(state, noise)


@inlined
def grow(state, noise):
    """All that grows in a step grows at once, by what was there before."""
    bits, grown, number = fork(noise, GROWS), np.empty(SOILS.shape[1], np.int64), 0
    for which in range(NUM_SOILS[state.map]):
        cell = SOILS[state.map, which]
        if not state.apples[cell] and state.who[cell] == NO_ONE:
            near = apples_nearby(state, which)
            if near:
                bits = scramble(bits)
                if below(bits, MILLION) < state.growth[min(near, ENOUGH)]:
                    grown[number] = cell
                    number += 1
    for which in range(number):
        state.apples[grown[which]] = 1


@inlined
def apples_nearby(state, which):
    """How many apples are around a place where they grow."""
    found = 0
    for near in range(AROUND if state.ssd else NEARBY):
        found += state.apples[NEAR[state.map, which, near]]
    return found


class Harvest(Commons):
    own = start, step

    def rates(self) -> dict[str, Any]:
        """By the number of apples nearby."""
        return dict(growth=[min(MILLION, round(chance * self.options["regrowth"] * MILLION)) for chance in CHANCES])
