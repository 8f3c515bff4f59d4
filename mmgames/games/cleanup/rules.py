"""Cleanup: apples grow while the water is clean; waste gathers in it until somebody cleans."""

from __future__ import annotations

from mmgames.games._commons.maps import NUM_SOILS, NUM_WATERS, SOILS, WATERS
from mmgames.games._commons.rules import (
    ACTIONS,
    GRID,
    GROWS,
    MAP,
    MILLION,
    RATE,
    THING,
    WET,
    WHO,
    Commons,
    act,
    functions,
    put_on_map,
)
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble

GROWTH = 0.05
"""How likely an apple grows in a step where the water is clean: as in the literature."""
FOULS, WHERE, BEGINS = 301, 302, 303  # what is drawn from the noise besides
GROWING, FOULING, LIMIT, AT_FIRST = range(RATE, RATE + 4)  # the rates


@kernel
def start(row, noise):
    put_on_map(row, noise)
    waters = NUM_WATERS[row[MAP]]
    wanted, bits = waters * row[AT_FIRST] // MILLION, fork(noise, BEGINS)
    for which in range(waters):
        bits = scramble(bits)
        if below(bits, waters - which) < wanted:
            row[GRID + WATERS[row[MAP], which]] |= THING
            wanted -= 1


@inlined
def count_waste(row):
    found = 0
    for which in range(NUM_WATERS[row[MAP]]):
        found += (row[GRID + WATERS[row[MAP], which]] & THING) // THING
    return found


@inlined
def foul(row, noise, clean):
    """A random clean cell, of so many, gets waste."""
    skip = below(fork(noise, WHERE), clean)
    for which in range(NUM_WATERS[row[MAP]]):
        cell = GRID + WATERS[row[MAP], which]
        if row[cell] & THING == 0:
            if skip == 0:
                row[cell] |= THING
            skip -= 1


@inlined
def grow(row, noise, chance):
    bits = fork(noise, GROWS)
    for which in range(NUM_SOILS[row[MAP]]):
        cell = GRID + SOILS[row[MAP], which]
        if row[cell] & THING == 0 and row[cell] >> WHO == 0:
            bits = scramble(bits)
            if below(bits, MILLION) < chance:
                row[cell] |= THING


@kernel
def step(row, actions, noise):
    act(row, actions, noise)
    waters, waste = NUM_WATERS[row[MAP]], count_waste(row)
    limit = row[LIMIT] * waters
    if waste * MILLION < limit:
        grow(row, noise, row[GROWING] * (limit - waste * MILLION) // limit)
        if below(fork(noise, FOULS), MILLION) < row[FOULING]:
            foul(row, noise, waters - waste)


class Cleanup(Commons):
    functions = functions(start, step)
    actions, sheets = len(ACTIONS), WET + 1

    def rates(self) -> tuple[int, ...]:
        chosen = self.options
        growing = min(MILLION, round(GROWTH * chosen["regrowth"] * MILLION))
        return growing, *(round(chosen[name] * MILLION) for name in ("waste", "limit", "waste_at_first"))
