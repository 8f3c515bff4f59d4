"""Cleanup: apples grow while the water is clean; waste gathers in it until somebody cleans."""

from typing import Any

from mmgames.games._commons.maps import NUM_SOILS, NUM_WATERS, SOILS, WATERS
from mmgames.games._commons.rules import GROWS, MILLION, NO_ONE, Commons, act, put_on_map
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble

GROWTH = 0.05
"""How likely an apple grows in a step where the water is clean: as in the literature."""
FOULS, WHERE, BEGINS = 301, 302, 303  # what is drawn from the noise besides


@kernel
def start(state, noise):
    """Some of the water has waste, and no apple hangs."""
    put_on_map(state, noise)
    waters = NUM_WATERS[state.map]
    wanted, bits = waters * state.foul_at_first // MILLION, fork(noise, BEGINS)
    for which in range(waters):
        bits = scramble(bits)
        if below(bits, waters - which) < wanted:
            state.waste[WATERS[state.map, which]] = 1
            wanted -= 1


@kernel
def step(state, actions, noise):
    act(state, actions, noise)
    waters, waste = NUM_WATERS[state.map], count_waste(state)
    limit = state.limit * waters
    if waste * MILLION < limit:
        grow(state, noise, state.growing * (limit - waste * MILLION) // limit)
        bits = fork(noise, FOULS)
        for _ in range(waters - waste if state.ssd else 1):  # there every clean cell is tried until one gets waste
            if below(bits, MILLION) < state.fouling:
                foul(state, noise, waters - waste)
                break
            bits = scramble(bits)


@inlined
def count_waste(state):
    found = 0
    for which in range(NUM_WATERS[state.map]):
        found += state.waste[WATERS[state.map, which]]
    return found


@inlined
def grow(state, noise, chance):
    bits = fork(noise, GROWS)
    for which in range(NUM_SOILS[state.map]):
        cell = SOILS[state.map, which]
        if not state.apples[cell] and state.who[cell] == NO_ONE:
            bits = scramble(bits)
            if below(bits, MILLION) < chance:
                state.apples[cell] = 1


@inlined
def foul(state, noise, clean):
    """A random clean cell, of so many, gets waste."""
    skip = below(fork(noise, WHERE), clean)
    for which in range(NUM_WATERS[state.map]):
        cell = WATERS[state.map, which]
        if not state.waste[cell]:
            if skip == 0:
                state.waste[cell] = 1
            skip -= 1


class Cleanup(Commons):
    own = start, step

    def rates(self) -> dict[str, Any]:
        chosen = self.options
        options = dict(fouling="waste", limit="limit", foul_at_first="waste_at_first")
        rates = {name: round(chosen[option] * MILLION) for name, option in options.items()}
        return dict(growing=min(MILLION, round(GROWTH * chosen["regrowth"] * MILLION)), **rates)
