"""BattleOfTheColors' heuristics: the nearest meeting, one's own colour, or always the same colour."""

from mmgames.baselines.planners.grid_steps import FAR, Walker, distance, step_towards
from mmgames.games._dilemma.rules import BLUE, RED
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(state, seat, noise):
    """Goes to the block that all players can reach soonest."""
    # How soon all can be there: the farthest player decides. Ties go to the nearer sum, then to the first colour, for
    # all seats alike, so that several of these always agree.
    soonest, nearest, chosen = FAR, FAR, 0
    for block in range(len(state.things)):
        wait, steps = 0, 0
        for other in range(len(state.at)):
            far = distance(state.side, state.at[other], state.things[block])
            wait, steps = max(wait, far), steps + far
        if wait < soonest or (wait == soonest and steps < nearest):
            soonest, nearest, chosen = wait, steps, block
    return step_towards(state, seat, state.things[chosen], noise)


@kernel
def self_interest(state, seat, noise):
    """Goes to the block of its own colour."""
    return step_towards(state, seat, state.things[seat], noise)


@kernel
def biased_red(state, seat, noise):
    """Always goes to the red block."""
    return step_towards(state, seat, state.things[RED], noise)


@kernel
def biased_blue(state, seat, noise):
    """Always goes to the blue block."""
    return step_towards(state, seat, state.things[BLUE], noise)


CommonWelfare = Walker.of("CommonWelfare", common_welfare)
SelfInterest = Walker.of("SelfInterest", self_interest)
BiasedRed = Walker.of("BiasedRed", biased_red)
BiasedBlue = Walker.of("BiasedBlue", biased_blue)
