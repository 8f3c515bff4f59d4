"""Harvest: apples grow back the sooner the more of them are left around, and not at all where none is."""

from __future__ import annotations

from mmgames.games._commons.maps import NEAR, NEARBY, NUM_SOILS, SOILS
from mmgames.games._commons.rules import (
    BEAMS,
    CLEAN,
    FRESH,
    GRID,
    GROWS,
    MAP,
    MILLION,
    RATE,
    THING,
    WHO,
    Commons,
    act,
    functions,
    put_on_map,
)
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble

CHANCES = (0.0, 0.005, 0.02, 0.05)
"""How likely an apple grows in a step, with 0, 1, 2 and 3 or more apples nearby: as in the literature."""
ENOUGH = len(CHANCES) - 1


@kernel
def start(row, noise):
    put_on_map(row, noise)
    for which in range(NUM_SOILS[row[MAP]]):
        row[GRID + SOILS[row[MAP], which]] |= THING


@inlined
def apples_nearby(row, which):
    """How many apples are around a place where they grow."""
    found = 0
    for near in range(NEARBY):
        found += (row[GRID + NEAR[row[MAP], which, near]] & THING) // THING
    return found


@inlined
def grow(row, noise):
    """All that grows in a step grows at once, by what was there before."""
    bits, grown = fork(noise, GROWS), 0
    for which in range(NUM_SOILS[row[MAP]]):
        cell = GRID + SOILS[row[MAP], which]
        if row[cell] & THING == 0 and row[cell] >> WHO == 0:
            near = apples_nearby(row, which)
            if near:
                bits = scramble(bits)
                if below(bits, MILLION) < row[RATE + min(near, ENOUGH)]:
                    row[cell] |= FRESH
                    grown += 1
    if grown:
        for which in range(NUM_SOILS[row[MAP]]):
            cell = GRID + SOILS[row[MAP], which]
            if row[cell] & FRESH:
                row[cell] += THING - FRESH


@kernel
def step(row, actions, noise):
    act(row, actions, noise)
    grow(row, noise)


class Harvest(Commons):
    functions = functions(start, step)
    actions, sheets = CLEAN, BEAMS + 1

    def rates(self) -> tuple[int, ...]:
        return tuple(min(MILLION, round(chance * self.options["regrowth"] * MILLION)) for chance in CHANCES)
