"""CoinDilemma's two heuristics: spare the other players, or take what is nearest."""

from mmgames.baselines.planners.grid_steps import Walker, nearest, step_around, step_towards
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(state, seat, noise):
    return step_around(state, seat, state.things[seat], state.things, seat, noise)


@kernel
def self_interest(state, seat, noise):
    return step_towards(state, seat, nearest(state, seat, state.things, noise), noise)


class CommonWelfare(Walker):
    """Collects its own colour only and walks around the others' coins."""

    policy = common_welfare


class SelfInterest(Walker):
    """Walks to the nearest coin, whosever it is."""

    policy = self_interest
