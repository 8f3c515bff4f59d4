"""MonsterHunt's heuristics: go for the monster, wait for it together, or live on apples."""

from mmgames.baselines.planners.grid_steps import Walker, first_thing, nearest, step_towards
from mmgames.games._dilemma.rules import players_of, side_of
from mmgames.kernels.kernel import kernel

CORNER = 0


@kernel
def chase(row, seat, noise):
    return step_towards(row, seat, row[first_thing(row) + players_of(row)], noise)


@kernel
def wait_middle(row, seat, noise):
    side = side_of(row)
    return step_towards(row, seat, side // 2 * side + side // 2, noise)


@kernel
def wait_corner(row, seat, noise):
    return step_towards(row, seat, CORNER, noise)


@kernel
def self_interest(row, seat, noise):
    apples = first_thing(row)
    return step_towards(row, seat, nearest(row, seat, apples, apples + players_of(row), noise), noise)


class Chase(Walker):
    """Walks at the monster."""

    policy = chase


class WaitMiddle(Walker):
    """Goes to the middle and waits there: two of these meet the monster together, again and again."""

    policy = wait_middle


class WaitCorner(Walker):
    """Goes to the bottom left corner and waits there."""

    policy = wait_corner


class SelfInterest(Walker):
    """Walks to the nearest apple."""

    policy = self_interest
