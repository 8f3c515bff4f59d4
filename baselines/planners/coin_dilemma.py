"""CoinDilemma's two heuristics: spare the other player, or take what is nearest."""

from mmgames.baselines.planners.grid_steps import NOWHERE, Walker, nearest, step_towards
from mmgames.games._dilemma.rules import RED_AT
from mmgames.games.coin_dilemma.rules import BLUE_COIN, RED_COIN
from mmgames.kernels.kernel import kernel


@kernel
def common_welfare(row, seat, noise):
    return step_towards(row[RED_AT + seat], row[RED_COIN + seat], row[BLUE_COIN - seat], noise)


@kernel
def self_interest(row, seat, noise):
    me = row[RED_AT + seat]
    return step_towards(me, nearest(me, row[RED_COIN], row[BLUE_COIN], noise), NOWHERE, noise)


class CommonWelfare(Walker):
    """Collects its own colour only and walks around the other's coin."""

    policy = common_welfare


class SelfInterest(Walker):
    """Walks to the nearest coin, whosever it is."""

    policy = self_interest
