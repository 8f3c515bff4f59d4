"""MonsterHunt's heuristics: go for the monster, wait for it together, or live on apples."""

from mmgames.baselines.planners.grid_steps import Walker, nearest, step_towards
from mmgames.kernels.kernel import kernel

CORNER = 0


@kernel
def chase(state, seat, noise):
    """Walks at the monster."""
    return step_towards(state, seat, state.things[len(state.at)], noise)


@kernel
def wait_middle(state, seat, noise):
    """Goes to the middle and waits there: two of these meet the monster together, again and again."""
    return step_towards(state, seat, state.side // 2 * state.side + state.side // 2, noise)


@kernel
def wait_corner(state, seat, noise):
    """Goes to the bottom left corner and waits there."""
    return step_towards(state, seat, CORNER, noise)


@kernel
def self_interest(state, seat, noise):
    """Walks to the nearest apple."""
    return step_towards(state, seat, nearest(state, seat, state.things[: len(state.at)], noise), noise)


Chase = Walker.of("Chase", chase)
WaitMiddle = Walker.of("WaitMiddle", wait_middle)
WaitCorner = Walker.of("WaitCorner", wait_corner)
SelfInterest = Walker.of("SelfInterest", self_interest)
