"""How the heuristics of the commons look and walk. They read of a state only what their seat sees of the map."""

import numpy as np

from mmgames.games._commons.rules import ACROSS, ALONG, LEADS, NO_ONE, RIGHT, STAY, cell_at
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble

FAR = 10_000  # farther than any cell
NOWHERE = -1
RADIUS = 2  # of what counts as around an apple
WALKS, LOOKS = 1, 2  # what is drawn from the noise
ROAMING = 8  # for so many steps one roams towards the same place


@inlined
def is_in_sight(state, at, x, y):
    """Whether somebody on a cell sees a place, and it is on the map."""
    half, wide = state.sight // 2, state.wide
    near = half == 0 or (abs(x - at % wide) <= half and abs(y - at // wide) <= half)
    return near and 0 <= x < wide and 0 <= y < state.high


@kernel
def apples_around(state, at, cell):
    """How many other apples one sees around a cell."""
    found, wide = 0, state.wide
    for up in range(-RADIUS, RADIUS + 1):
        for right in range(-RADIUS, RADIUS + 1):
            x, y = cell % wide + right, cell // wide + up
            if 0 < abs(up) + abs(right) <= RADIUS and is_in_sight(state, at, x, y):
                found += state.apples[y * wide + x]
    return found


@kernel
def nearest(state, seat, things, spared, noise):
    """The nearest of the things, apples or waste, that a player sees; any of equally near ones. Apples that have fewer
    others around them than `spared` do not count. NOWHERE if there is none."""
    at, wide = state.at[seat], state.wide
    half = state.sight // 2
    left, bottom, right, top = 0, 0, wide - 1, state.high - 1
    if half > 0:
        left, right = max(left, at % wide - half), min(right, at % wide + half)
        bottom, top = max(bottom, at // wide - half), min(top, at // wide + half)
    best, found, ties = FAR, NOWHERE, 0
    bits = fork(noise, LOOKS)
    for y in range(bottom, top + 1):
        for x in range(left, right + 1):
            cell = y * wide + x
            if cell == at or not things[cell] or state.who[cell] != NO_ONE:
                continue
            far = abs(x - at % wide) + abs(y - at // wide)
            if far > best or (spared and apples_around(state, at, cell) < spared):
                continue
            if far < best:
                best, found, ties = far, cell, 1
            else:
                ties += 1
                bits = scramble(bits)
                if below(bits, ties) == 0:
                    found = cell
    return found


@kernel
def go(state, seat, target, careful, noise):
    """The free step that leads nearest to a cell; any of equally good ones. Careful ones tread on no other apple."""
    at, wide = state.at[seat], state.wide
    best, chosen, ties = FAR, STAY, 0
    bits = fork(noise, WALKS)
    for step in range(4):
        way = LEADS[state.facing[seat], step] if state.ssd else step
        x, y = at % wide + ACROSS[way], at // wide + ALONG[way]
        cell = cell_at(state, x, y)
        if cell < 0 or state.who[cell] != NO_ONE or (careful and cell != target and state.apples[cell]):
            continue
        far = abs(x - target % wide) + abs(y - target // wide)
        if far < best:
            best, chosen, ties = far, RIGHT + step, 1
        elif far == best:
            ties += 1
            bits = scramble(bits)
            if below(bits, ties) == 0:
                chosen = RIGHT + step
    return chosen


@inlined
def roaming_place(state, seat, cells, number):
    """One of these cells, for a while; each player has others."""
    return cells[scramble(np.uint64(state.step // ROAMING * 8 + seat)) % np.uint64(number)]
