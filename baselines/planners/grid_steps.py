"""How the grid heuristics walk: towards a cell, around another one if they care, ties broken by the noise."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import int64

from mmgames.core.turn import Turn
from mmgames.games._dilemma.rules import CELLS, LEGAL, MOVED, SIDE, STAY
from mmgames.kernels.compiling import Entry
from mmgames.kernels.kernel import below, fork, kernel, scramble
from mmgames.kernels.kernel_game import NUMBERS, RowAgent, imagined_row

DRAWS = 128  # the rarest of equally good moves has a chance of 1 in 8, so that none is missed
NOWHERE = -1
WHICH = 1  # of two targets: drawn apart from the steps towards it, which take the noise as it is


@kernel
def distance(cell, other):
    """Steps between two cells."""
    return abs(cell % SIDE - other % SIDE) + abs(cell // SIDE - other // SIDE)


@kernel
def step_towards(cell, target, avoid, noise):
    """A move that brings `cell` closest to `target` without entering `avoid` (NOWHERE: no such cell).

    When only the avoided cell lies straight ahead, this steps aside. Equally good moves are equally likely.
    """
    if cell == target:
        return STAY
    best, chosen, ties = CELLS, STAY, 0
    for action in range(1, MOVED.shape[1]):
        to = MOVED[cell, action]
        if to != cell and to != avoid:
            far = distance(to, target)
            if far < best:
                best, chosen, ties = far, action, 1
            elif far == best:
                ties += 1
                noise = scramble(noise)
                if below(noise, ties) == 0:
                    chosen = action
    return chosen


@kernel
def nearest(cell, first, second, noise):
    """The nearer of two cells; either one when they are equally near."""
    gap = distance(cell, first) - distance(cell, second)
    if gap == 0:
        return first if below(fork(noise, WHICH), 2) == 0 else second
    return first if gap < 0 else second


@kernel
def possible_steps(policy, row, seat):
    """All that a policy does in a position, whatever the noise, as bits."""
    found = 0
    for draw in range(DRAWS):
        found |= 1 << policy(row, seat, scramble(np.uint64(draw)))
    return found


@functools.cache
def _steps_of(policy: Any) -> Entry:
    return Entry(possible_steps, (policy,), (NUMBERS, int64))


class Walker(RowAgent):
    """A heuristic of a grid dilemma; between equally good steps it lets the noise decide."""

    def choices(self, turn: Turn) -> list[int]:
        found = _steps_of(type(self).policy)(imagined_row(turn), turn.seat)
        return [action for action in LEGAL if found >> action & 1]
