"""CoinDilemma's two heuristics: spare the other players, or take what is nearest."""

from mmgames.baselines.planners.grid_steps import Walker, first_thing, nearest, step_around, step_towards
from mmgames.games._dilemma.rules import players_of
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(row, seat, noise):
    coins = first_thing(row)
    return step_around(row, seat, row[coins + seat], coins, coins + players_of(row), coins + seat, noise)


@kernel
def self_interest(row, seat, noise):
    coins = first_thing(row)
    return step_towards(row, seat, nearest(row, seat, coins, coins + players_of(row), noise), noise)


class CommonWelfare(Walker):
    """Collects its own colour only and walks around the others' coins."""

    policy = common_welfare


class SelfInterest(Walker):
    """Walks to the nearest coin, whosever it is."""

    policy = self_interest
