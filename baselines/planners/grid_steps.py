"""How the grid heuristics walk: towards a cell, around another one if they care, ties broken by the noise."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import int64

from mmgames.core.turn import Turn
from mmgames.games._dilemma.rules import ALL_MOVED, HAS, STAY, for_all_sides, players_of, side_of
from mmgames.kernels.compiling import Entry
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble
from mmgames.kernels.kernel_game import NUMBERS, RowAgent, imagined_row

DRAWS = 128  # the rarest of equally good moves has a chance of 1 in 8, so that none is missed
WHICH = 1  # of equally near targets: drawn apart from the steps towards it, which take the noise as it is
FAR = 99  # farther than any cell
COLUMNS = for_all_sides(lambda side: [cell % side for cell in range(side * side)], np.int16)
LINES = for_all_sides(lambda side: [cell // side for cell in range(side * side)], np.int16)


@inlined
def place_of(row, seat):
    """Where the row has a player."""
    return HAS + 2 * players_of(row) + seat


@inlined
def first_thing(row):
    """Where the row has the first of the things; the others follow it."""
    return HAS + 3 * players_of(row)


@inlined
def distance(side, cell, other):
    """Steps between two cells."""
    return abs(COLUMNS[side, cell] - COLUMNS[side, other]) + abs(LINES[side, cell] - LINES[side, other])


@kernel
def step_towards(row, seat, target, noise):
    """A move that brings a player closest to `target`. Equally good moves are equally likely."""
    return step_around(row, seat, target, 0, 0, 0, noise)


@kernel
def step_around(row, seat, target, first, last, spare, noise):
    """A move that brings a player closest to `target` and onto none of the places of the row from `first` to `last`.

    The place `spare` may be entered. When only avoided cells lie straight ahead, this steps aside.
    """
    side, cell = side_of(row), row[place_of(row, seat)]
    if cell == target:
        return STAY
    best, chosen, ties = FAR, STAY, 0
    for action in range(1, ALL_MOVED.shape[2]):
        to = ALL_MOVED[side, cell, action]
        enters = to != cell
        for place in range(first, last):
            enters &= place == spare or row[place] != to
        if enters:
            far = distance(side, to, target)
            if far < best:
                best, chosen, ties = far, action, 1
            elif far == best:
                ties += 1
                noise = scramble(noise)
                if below(noise, ties) == 0:
                    chosen = action
    return chosen


@kernel
def nearest(row, seat, first, last, noise):
    """The cell nearest to a player of those that the places from `first` to `last` have; any of equally near ones."""
    side, cell = side_of(row), row[place_of(row, seat)]
    best, found, ties = FAR, first, 0
    for place in range(first, last):
        far = distance(side, cell, row[place])
        if far < best:
            best, found, ties = far, place, 1
        elif far == best:
            ties += 1
    if ties > 1:
        skip = below(fork(noise, WHICH), ties)
        for place in range(first, last):
            if distance(side, cell, row[place]) == best:
                if skip == 0:
                    found = place
                skip -= 1
    return row[found]


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
        return [action for action in range(turn.game.num_actions) if found >> action & 1]
