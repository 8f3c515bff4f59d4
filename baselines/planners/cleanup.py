"""Cleanup's heuristics: eat only, clean only, or take turns."""

from mmgames.baselines.planners.commons_steps import NOWHERE, go, is_in_sight, nearest, roaming_place
from mmgames.baselines.planners.grid_steps import Walker
from mmgames.games._commons.maps import NUM_SOILS, NUM_WATERS, SOILS, WATERS
from mmgames.games._commons.rules import ACROSS, ALONG, CLEAN, NO_ONE, STAY, UP, first_turn
from mmgames.kernels.kernel import kernel

TURN = 25  # those who take turns clean for so many steps, one after another


@kernel
def would_clean(state, seat):
    """Whether a player who cleans now meets waste that it sees."""
    at, way, wide = state.at[seat], state.facing[seat], state.wide
    right, up = ACROSS[way], ALONG[way]
    for beside in range(-1, 2):
        first = 0 if state.ssd and beside != 0 else 1
        for far in range(first, first + state.reach):
            x, y = at % wide + far * right + beside * up, at // wide + far * up + beside * right
            if not is_in_sight(state, at, x, y):
                break
            if state.waste[y * wide + x]:
                return True
            if state.who[y * wide + x] != NO_ONE:
                break
    return False


@kernel
def eat(state, seat, noise):
    """Walks to the nearest apple that it sees, and never cleans."""
    apple = nearest(state, seat, state.apples, 0, noise)
    if apple == NOWHERE:
        apple = roaming_place(state, seat, SOILS[state.map], NUM_SOILS[state.map])
    return go(state, seat, apple, False, noise)


@kernel
def clean(state, seat, noise):
    """Cleans wherever it sees waste, and eats what it happens to walk over."""
    if would_clean(state, seat):
        return CLEAN
    waste = nearest(state, seat, state.waste, 0, noise)
    if waste == NOWHERE:
        waste = roaming_place(state, seat, WATERS[state.map], NUM_WATERS[state.map])
    step = go(state, seat, waste, False, noise)
    # Where a step does not turn it, it turns until what it wants to clean is ahead.
    return first_turn(state) if state.ssd and step != STAY and step != UP else step


@kernel
def take_turns(state, seat, noise):
    """Cleans when it is its turn, for 25 steps, and eats otherwise."""
    mine = state.step // TURN % len(state.at) == seat
    return clean(state, seat, noise) if mine else eat(state, seat, noise)


Eater = Walker.of("Eater", eat)
Cleaner = Walker.of("Cleaner", clean)
TurnTaker = Walker.of("TurnTaker", take_turns)
