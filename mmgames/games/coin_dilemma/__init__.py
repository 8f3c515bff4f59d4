"""Players collect coins on a grid; taking another's coin pays, but costs the other more."""

from mmgames.games._dilemma import grid_dilemma

PAYS = {
    "own_coin": (1, "what a coin of its own colour pays a player"),
    "others_coin": (1, "what a coin of another's colour pays a player"),
    "lost_coin": (-2, "what it pays a player when another takes its coin"),
}

SPEC = grid_dilemma(
    __name__,
    "CoinDilemma",
    "collect coins on a grid; the other's coins tempt",
    pays=PAYS,
    planners={"common_welfare": "CommonWelfare", "self_interest": "SelfInterest"},
    reference="common_welfare",
)
