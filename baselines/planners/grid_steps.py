"""How the grid heuristics walk: towards a cell, around another one if they care, ties broken by the noise."""

import functools
from typing import Any

import numpy as np
from numba import int64

from mmgames.core.turn import Turn
from mmgames.games._dilemma.rules import MOVED, STAY, for_all_sides
from mmgames.kernels.compiling import Entry
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble
from mmgames.kernels.kernel_game import PolicyAgent, kernel_of

DRAWS = 128  # the rarest of equally good moves has a chance of 1 in 8, so that none is missed
WHICH = 1  # of equally near targets: drawn apart from the steps towards it, which take the noise as it is
FAR = 99  # farther than any cell
COLUMNS = for_all_sides(lambda cell, side: cell % side, np.int16)
LINES = for_all_sides(lambda cell, side: cell // side, np.int16)


@inlined
def distance(side, cell, other):
    """Steps between two cells."""
    return abs(COLUMNS[side, cell] - COLUMNS[side, other]) + abs(LINES[side, cell] - LINES[side, other])


@kernel
def step_towards(state, seat, target, noise):
    """A move that brings a player closest to `target`. Equally good moves are equally likely."""
    return step_around(state, seat, target, state.at[:0], 0, noise)


@kernel
def step_around(state, seat, target, avoided, spare, noise):
    """A move that brings a player closest to `target` and onto none of the `avoided` cells but the one at `spare`.

    When only avoided cells lie straight ahead, this steps aside.
    """
    side, cell = state.side, state.at[seat]
    if cell == target:
        return STAY
    best, chosen, ties = FAR, STAY, 0
    for action in range(1, MOVED.shape[2]):
        to = MOVED[side, cell, action]
        enters = to != cell
        for which in range(len(avoided)):
            enters &= which == spare or avoided[which] != to
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
def nearest(state, seat, cells, noise):
    """Of these cells the one nearest to a player; any of equally near ones."""
    side, cell = state.side, state.at[seat]
    best, found, ties = FAR, 0, 0
    for which in range(len(cells)):
        far = distance(side, cell, cells[which])
        if far < best:
            best, found, ties = far, which, 1
        elif far == best:
            ties += 1
    if ties > 1:
        skip = below(fork(noise, WHICH), ties)
        for which in range(len(cells)):
            if distance(side, cell, cells[which]) == best:
                if skip == 0:
                    found = which
                skip -= 1
    return cells[found]


@kernel
def possible_steps(policy, states, seat):
    """All that a policy does in a position, whatever the noise, as bits."""
    found = 0
    for draw in range(DRAWS):
        found |= 1 << policy(states[0], seat, scramble(np.uint64(draw)))
    return found


@functools.cache
def _steps_of(policy: Any, state_type: Any) -> Entry:
    return Entry(possible_steps, (policy,), (state_type, int64))


class Walker(PolicyAgent):
    """A heuristic of a grid dilemma; between equally good steps it lets the noise decide."""

    def choices(self, turn: Turn) -> list[int]:
        rules = kernel_of(turn.game)
        assert rules is not None
        found = _steps_of(type(self).policy, rules.state_type)(turn.imagine().array, turn.seat)
        return [action for action in range(turn.game.num_actions) if found >> action & 1]
