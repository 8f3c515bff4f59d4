"""MonsterHunt's heuristics: go for the monster, wait for it together, or live on apples."""

from mmgames.baselines.planners.grid_steps import NOWHERE, Walker, nearest, step_towards
from mmgames.games._dilemma.rules import CELLS, RED_AT, THINGS
from mmgames.games.monster_hunt.rules import MONSTER_AT
from mmgames.kernels.kernel import kernel

MIDDLE = CELLS // 2
CORNER = 0


@kernel
def chase(row, seat, noise):
    return step_towards(row[RED_AT + seat], row[MONSTER_AT], NOWHERE, noise)


@kernel
def wait_middle(row, seat, noise):
    return step_towards(row[RED_AT + seat], MIDDLE, NOWHERE, noise)


@kernel
def wait_corner(row, seat, noise):
    return step_towards(row[RED_AT + seat], CORNER, NOWHERE, noise)


@kernel
def self_interest(row, seat, noise):
    me = row[RED_AT + seat]
    return step_towards(me, nearest(me, row[THINGS], row[THINGS + 1], noise), NOWHERE, noise)


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
