"""BattleOfTheColors' heuristics: the nearest meeting, one's own colour, or always the same colour."""

from mmgames.baselines.planners.grid_steps import NOWHERE, Walker, distance, step_towards
from mmgames.games._dilemma.rules import BLUE_AT, RED_AT
from mmgames.games.battle_of_the_colors.rules import BLUE_BLOCK, RED_BLOCK
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(row, seat, noise):
    # How soon both can be there: the farther player decides. Ties go to the nearer sum, then to red, for both
    # seats alike, so that two of these always agree.
    red_far, red_near = distance(row[RED_AT], row[RED_BLOCK]), distance(row[BLUE_AT], row[RED_BLOCK])
    blue_far, blue_near = distance(row[RED_AT], row[BLUE_BLOCK]), distance(row[BLUE_AT], row[BLUE_BLOCK])
    red_wait, blue_wait = max(red_far, red_near), max(blue_far, blue_near)
    red_first = red_wait < blue_wait or (red_wait == blue_wait and red_far + red_near <= blue_far + blue_near)
    return step_towards(row[RED_AT + seat], row[RED_BLOCK] if red_first else row[BLUE_BLOCK], NOWHERE, noise)


@kernel
def self_interest(row, seat, noise):
    return step_towards(row[RED_AT + seat], row[RED_BLOCK + seat], NOWHERE, noise)


@kernel
def biased_red(row, seat, noise):
    return step_towards(row[RED_AT + seat], row[RED_BLOCK], NOWHERE, noise)


@kernel
def biased_blue(row, seat, noise):
    return step_towards(row[RED_AT + seat], row[BLUE_BLOCK], NOWHERE, noise)


class CommonWelfare(Walker):
    """Goes to the block that both players can reach soonest."""

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
