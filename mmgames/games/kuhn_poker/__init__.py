"""Poker with three cards and one bet: the smallest game in which bluffing pays."""

from mmgames.core.spec import Agents, GameSpec, Outcome

SPEC = GameSpec(
    name="KuhnPoker",
    package=__name__,
    summary="three cards, one bet, and the need to bluff",
    seats=("player_0", "player_1"),
    dynamics="sequential",
    information="imperfect",
    utility="zero_sum",
    actions="discrete",
    chance="explicit",
    length=3,
    source="VS-Bench",
    family="card games",
    agents=Agents(
        {"equilibrium": "mmgames.baselines.planners.kuhn_poker:Equilibrium"},
        talkers={"claimer": "mmgames.baselines.talking.claimer:Claimer"},
        reference=("equilibrium",),
    ),
    looks=("night", "swapped"),
    batched=True,
    outcome=Outcome(signals="mmgames.baselines.search.tree_values:signals"),
)
