"""BattleOfTheColors' heuristics: the nearest meeting, one's own colour, or always the same colour."""

from mmgames.baselines.planners.grid_steps import FAR, Walker, distance, first_thing, place_of, step_towards
from mmgames.games._dilemma.rules import BLUE, RED, players_of, side_of
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(row, seat, noise):
    # How soon all can be there: the farthest player decides. Ties go to the nearer sum, then to the first colour, for
    # all seats alike, so that several of these always agree.
    side, players, blocks = side_of(row), players_of(row), first_thing(row)
    soonest, nearest, chosen = FAR, FAR, 0
    for block in range(players):
        wait, steps = 0, 0
        for other in range(players):
            far = distance(side, row[place_of(row, other)], row[blocks + block])
            wait, steps = max(wait, far), steps + far
        if wait < soonest or (wait == soonest and steps < nearest):
            soonest, nearest, chosen = wait, steps, block
    return step_towards(row, seat, row[blocks + chosen], noise)


@kernel
def self_interest(row, seat, noise):
    return step_towards(row, seat, row[first_thing(row) + seat], noise)


@kernel
def biased_red(row, seat, noise):
    return step_towards(row, seat, row[first_thing(row) + RED], noise)


@kernel
def biased_blue(row, seat, noise):
    return step_towards(row, seat, row[first_thing(row) + BLUE], noise)


class CommonWelfare(Walker):
    """Goes to the block that all players can reach soonest."""

    policy = common_welfare


class SelfInterest(Walker):
    """Goes to the block of its own colour."""

    policy = self_interest


class BiasedRed(Walker):
    """Always goes to the red block."""

    policy = biased_red


class BiasedBlue(Walker):
    """Always goes to the blue block."""

    policy = biased_blue
