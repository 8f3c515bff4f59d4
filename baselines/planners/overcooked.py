"""Overcooked's two agents: a chef with good habits, and one that also thinks ahead.

`greedy` takes the most pressing errand and walks there. `planner` tries out ideas for both chefs (a first action, a
thing to interact with, or a list of what to fetch next), plays each pair of them on as if both were greedy afterwards,
and does its own part of the best one. Two planners find the same plan, since nothing is hidden or left to chance.
"""

import numpy as np

from mmgames.games.overcooked.layouts import (
    AHEAD,
    CELLS,
    COUNTER,
    COUNTERS,
    DIRECTIONS,
    DISHES,
    FAR,
    FLOOR,
    HATCH,
    KITCHENS,
    MOST_COUNTERS,
    MOST_POTS,
    NUMBER,
    ONIONS,
    POT,
    POTS,
    TERRAIN,
    Kitchen,
    neighbours,
)
from mmgames.games.overcooked.rules import CHEFS, DISH, FULL, IDLE, INTERACT, NOTHING, ONION, SOUP, STAY, step
from mmgames.kernels.kernel import inlined, kernel, states_like
from mmgames.kernels.kernel_game import PolicyAgent

NOWHERE = -1


def _moves_to_face(kitchen: Kitchen, target: int) -> list[int]:
    """Moves, by cell and facing, until a chef stands before the target; FAR where it never can."""
    moves = [FAR] * (CELLS * 4)
    front = [cell * 4 + way for cell in range(CELLS) for way, near in neighbours(cell) if near == target]
    front = [place for place in front if kitchen.terrain[place // 4] == FLOOR]
    for place in front:
        moves[place] = 0
    for place in front:
        cell, way = divmod(place, 4)
        # Who faces this way here has stepped here from behind, or has turned here towards something.
        turned = kitchen.terrain[AHEAD[cell, way]] != FLOOR
        before = [cell] if turned else []
        before += [near for _, near in neighbours(cell) if AHEAD[near, way] == cell and kitchen.terrain[near] == FLOOR]
        for earlier in (from_cell * 4 + facing for from_cell in before for facing in DIRECTIONS):
            if moves[earlier] == FAR:
                moves[earlier] = moves[place] + 1
                front.append(earlier)
    return moves


def _stations(kitchen: Kitchen, kind: int) -> list[int]:
    """The cells of a kind, pots and counters in the order of their slots."""
    found = {POT: kitchen.pots, COUNTER: kitchen.counters}.get(kind) or tuple(kitchen.cells(kind)[:MOST_COUNTERS])
    return [*found, *(NOWHERE,) * (MOST_COUNTERS - len(found))]


MOVES = np.array([[_moves_to_face(kitchen, cell) for cell in range(CELLS)] for kitchen in KITCHENS], np.int32)
STATION = np.array([[_stations(kitchen, kind) for kind in range(HATCH + 1)] for kitchen in KITCHENS], np.int32)
STACK = np.array((NOWHERE, ONIONS, DISHES), np.int32)  # where an item comes from


@kernel
def moves(state, chef, cell):
    """Moves until the chef stands before a cell, nobody being in the way."""
    return MOVES[state.layout, cell, state.at[chef] * 4 + state.facing[chef]]


@kernel
def nearest(state, chef, kind):
    """The station of a kind that the chef reaches first, or NOWHERE."""
    best, chosen = FAR, NOWHERE
    for i in range(MOST_COUNTERS):
        cell = STATION[state.layout, kind, i]
        if cell == NOWHERE:
            break
        if moves(state, chef, cell) < best:
            best, chosen = moves(state, chef, cell), cell
    return chosen


@kernel
def counter_with(state, chef, item, shared):
    """The counter with an item, or an empty one for NOTHING, that the chef, or both chefs, reach first."""
    best, chosen = FAR, NOWHERE
    for i in range(COUNTERS[state.layout]):
        if state.lies[i] == item:
            cell = STATION[state.layout, COUNTER, i]
            far = moves(state, chef, cell) + (moves(state, 1 - chef, cell) if shared else 0)
            if far < best:
                best, chosen = far, cell
    return chosen


@kernel
def source(state, chef, item):
    """Where the chef gets an onion or a dish soonest: from the stack or from a counter."""
    stack, counter = nearest(state, chef, STACK[item]), counter_with(state, chef, item, False)
    if counter == NOWHERE or (stack != NOWHERE and moves(state, chef, stack) <= moves(state, chef, counter)):
        return stack
    return counter


@kernel
def on_counters(state, item):
    count = 0
    for i in range(COUNTERS[state.layout]):
        count += state.lies[i] == item
    return count


@kernel
def soups(state, least):
    """Pots that cook, are done, or hold at least so many onions."""
    count = 0
    for pot in range(POTS[state.layout]):
        count += state.clock[pot] != IDLE or state.onions[pot] >= least
    return count


@inlined
def pot_for(state, chef):
    """The pot for what the chef holds: an open one for an onion, the soonest soup for a dish, else a full one to start.

    NOWHERE if it can reach none.
    """
    holds = state.holds[chef]
    best, chosen = FAR, NOWHERE
    for pot in range(POTS[state.layout]):
        cell, onions, clock = STATION[state.layout, POT, pot], state.onions[pot], state.clock[pot]
        far = moves(state, chef, cell)
        if far == FAR:
            continue
        missing = FULL - onions if clock == IDLE else 0
        if holds == ONION:
            far = far + 3 * missing if missing else FAR  # rather one that is nearly full
        elif holds == DISH:
            far = max(far, state.cook_time - max(clock, 0) + 4 * missing) if onions else FAR
        elif clock != IDLE or missing:
            far = FAR
        if far < best:
            best, chosen = far, cell
    return chosen


@kernel
def errand(state, chef, wish):
    """What a chef with good habits does next: the cell to interact with, or NOWHERE.

    A wish says what to fetch when its hands are free and nothing is more pressing.
    """
    holds, others = state.holds[chef], state.holds[1 - chef]
    cooks = nearest(state, chef, POT) != NOWHERE  # without a pot all it can do is hand things over
    serves = nearest(state, chef, HATCH) != NOWHERE
    if holds > DISH:
        return nearest(state, chef, HATCH) if serves else counter_with(state, chef, NOTHING, True)
    if holds != NOTHING and not cooks:
        return counter_with(state, chef, NOTHING, True)
    pot = pot_for(state, chef)
    if holds == ONION:
        if pot == NOWHERE and others == ONION and chef == 1:  # nobody has a hand for the dish
            return counter_with(state, chef, NOTHING, False)
        return pot if pot != NOWHERE else nearest(state, chef, POT)
    if holds == DISH:
        return pot if soups(state, FULL) or others == ONION else counter_with(state, chef, NOTHING, False)
    if pot != NOWHERE and (others != NOTHING or moves(state, chef, pot) < moves(state, 1 - chef, pot) + chef):
        return pot
    soup = counter_with(state, chef, SOUP, False)
    if soup != NOWHERE and serves:
        return soup
    if wish == DISH and (others == DISH) + on_counters(state, DISH) >= POTS[state.layout]:
        wish = NOTHING  # there is a dish for every pot
    if wish != NOTHING:
        place = source(state, chef, wish) if cooks else nearest(state, chef, STACK[wish])
        if place != NOWHERE:
            return place
    dishes = soups(state, FULL - (others == ONION)) - (others == DISH)
    if cooks:
        place = source(state, chef, DISH) if dishes > 0 else NOWHERE
        return place if place != NOWHERE else source(state, chef, ONION)
    if dishes > on_counters(state, DISH):
        return nearest(state, chef, DISHES)
    return nearest(state, chef, ONIONS) if on_counters(state, ONION) < FULL - 1 else NOWHERE


@inlined
def changes_something(state, chef, cell):
    """Whether interacting with a cell does anything now."""
    layout, holds = state.layout, state.holds[chef]
    kind, number = TERRAIN[layout, cell], NUMBER[layout, cell]
    if kind == COUNTER:
        return (holds == NOTHING) != (state.lies[number] == NOTHING)
    if kind == POT:
        if holds == DISH:
            return state.clock[number] >= state.cook_time
        return state.clock[number] == IDLE and (state.onions[number] < FULL) == (holds == ONION)
    return True


@inlined
def detour(state, chef, cell):
    """The first move of the shortest way to a cell around the other chef, and its length; FAR without one."""
    layout, taken = state.layout, state.at[1 - chef]
    first, length = np.full(CELLS * 4, NOWHERE, np.int32), np.zeros(CELLS * 4, np.int32)
    queue = np.empty(CELLS * 4, np.int32)
    queue[0] = state.at[chef] * 4 + state.facing[chef]
    first[queue[0]] = STAY
    head, tail = 0, 1
    while head < tail:
        place = queue[head]
        head += 1
        if MOVES[layout, cell, place] == 0:
            return first[place], length[place]
        for way in range(4):
            to = AHEAD[place // 4, way]
            if TERRAIN[layout, to] != FLOOR or to == taken:
                to = place // 4
            after = to * 4 + way
            if first[after] == NOWHERE:
                first[after] = way if head == 1 else first[place]
                length[after] = length[place] + 1
                queue[tail] = after
                tail += 1
    return STAY, FAR


@kernel
def gives_way(state, chef):
    """Of two chefs who hinder each other the one with less in its hands makes room; of two alike, chef 1."""
    mine, others = state.holds[chef], state.holds[1 - chef]
    return mine < others or (mine == others and chef == 1)


@kernel
def aside(state, chef):
    """A move onto any free cell."""
    for way in range(4):
        to = AHEAD[state.at[chef], way]
        if TERRAIN[state.layout, to] == FLOOR and to != state.at[1 - chef]:
            return way
    return STAY


@kernel
def action_towards(state, chef, cell):
    """The action that brings a chef closer to interacting with a cell."""
    if cell == NOWHERE or moves(state, chef, cell) == FAR:
        return STAY
    far, waits = moves(state, chef, cell), not changes_something(state, chef, cell)
    if far == 0:
        return STAY if waits else INTERACT
    if far <= 2 and waits and state.holds[chef] == ONION:
        return STAY  # the place before a busy pot is for the chef with the dish
    layout, at, taken = state.layout, state.at[chef], state.at[1 - chef]
    before_other = AHEAD[taken, state.facing[1 - chef]]
    bump = STAY
    for way in range(4):
        to = AHEAD[at, way]
        if TERRAIN[layout, to] != FLOOR:
            to = at
        if MOVES[layout, cell, to * 4 + way] == far - 1:
            if to == taken:
                bump = way
                continue
            # If both step onto that cell at once, nobody gets there.
            contested = to != at and to == before_other and 0 <= state.did[0, 1 - chef] < STAY
            return STAY if contested and gives_way(state, chef) else way
    first, length = detour(state, chef, cell)
    if before_other == at and gives_way(state, chef):
        return first if length < FAR else aside(state, chef)
    # Who stands in the way is often gone in a moment, and bumping into it costs nothing.
    return first if length <= far + 2 else bump


@kernel
def greedy(state, seat, noise):
    """Takes the most pressing errand and walks there."""
    return action_towards(state, seat, errand(state, seat, NOTHING))


# An idea is the cell to interact with; from FIRST on, a first action; from LIST on, things to fetch one after the
# other, as binary digits behind a leading one, the last digit first (0 an onion, 1 a dish). An empty list is greedy.
FIRST = CELLS
LIST = FIRST + STAY + 1
LISTED = 3
GREEDY = LIST + 1
ALWAYS = np.array([GREEDY, *range(FIRST, LIST), *range(LIST + 2**LISTED, LIST + 2 * 2**LISTED)], np.int32)
MOST_IDEAS = len(ALWAYS) + 2 + MOST_POTS
KEEN = 14  # steps after which a cell that could not be reached is given up
LOOK_AHEAD = 60
WORTH = 1000  # what a point counts now; one less for every step it comes later


@kernel
def ideas(state, chef, found):
    """Fill `found` with what a chef might do from here; how many there are."""
    count = len(ALWAYS)
    found[:count] = ALWAYS
    if state.holds[chef] != NOTHING:
        for shared in (False, True):
            place = counter_with(state, chef, NOTHING, shared)
            if place != NOWHERE:
                found[count] = place
                count += 1
        for pot in range(POTS[state.layout]):
            found[count] = STATION[state.layout, POT, pot]
            count += 1
    return count


@kernel
def carry_out(state, chef, idea):
    """The action that an idea means now."""
    if FIRST <= idea < LIST:
        return idea - FIRST
    cell = idea
    if idea >= LIST:
        listed = idea - LIST
        wish = NOTHING if listed <= 1 else DISH if listed & 1 else ONION
        cell = errand(state, chef, wish)
    return action_towards(state, chef, cell)


@kernel
def play_on(state, wanted, actions):
    """Play each chef's idea on `state`, then greedily; the points made, a little more for sooner ones."""
    score = 0
    for passed in range(min(LOOK_AHEAD, state.horizon - state.step)):
        held = (state.holds[0], state.holds[1])
        for chef in CHEFS:
            actions[chef] = carry_out(state, chef, wanted[chef])
        before = state.points
        step(state, actions, np.uint64(0))
        score += (state.points - before) * (WORTH - passed)
        for chef in CHEFS:
            changed = state.holds[chef] != held[chef]
            if wanted[chef] >= LIST:
                if changed and held[chef] == NOTHING and wanted[chef] > GREEDY:
                    wanted[chef] = LIST + (wanted[chef] - LIST) // 2
            elif wanted[chef] >= FIRST or changed or passed >= KEEN:
                wanted[chef] = GREEDY
    return score


@kernel
def planner(state, seat, noise):
    """Tries out ideas for both chefs and does its part of the best plan."""
    imagined, actions = states_like(state, 1), np.empty(2, np.int64)
    found, pair = np.empty((2, MOST_IDEAS), np.int32), np.empty(2, np.int32)
    counts = (ideas(state, 0, found[0]), ideas(state, 1, found[1]))
    best, chosen = np.int64(-1), np.int32(GREEDY)
    for i in range(counts[0]):
        for j in range(counts[1]):
            imagined[0] = state
            pair[0] = found[0, i]
            pair[1] = found[1, j]
            score = play_on(imagined[0], pair, actions)
            if score > best:
                best = score
                chosen = found[0, i] if seat == 0 else found[1, j]
    return carry_out(state, seat, chosen)


Greedy = PolicyAgent.of("Greedy", greedy)
Planner = PolicyAgent.of("Planner", planner, searches=True)
