"""CoinDilemma's two heuristics: spare the other players, or take what is nearest."""

from mmgames.baselines.planners.grid_steps import Walker, nearest, step_around, step_towards
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(state, seat, noise):
    """Collects its own colour only and walks around the others' coins."""
    return step_around(state, seat, state.things[seat], state.things, seat, noise)


@kernel
def self_interest(state, seat, noise):
    """Walks to the nearest coin, whosever it is."""
    return step_towards(state, seat, nearest(state, seat, state.things, noise), noise)


CommonWelfare = Walker.of("CommonWelfare", common_welfare)
SelfInterest = Walker.of("SelfInterest", self_interest)
