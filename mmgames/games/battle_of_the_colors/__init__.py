"""A battle of the sexes on a grid: meeting pays both, but each would rather meet on its own colour."""

from mmgames.core.spec import Option
from mmgames.games._dilemma import grid_dilemma

PAYS = {
    "own_block": (2, "what meeting another player on its own block pays a player"),
    "others_block": (1, "what meeting another player on a block of another colour pays a player"),
    "apart": (0, "what it pays to be alone on a block while others are on other blocks"),
}

SPEC = grid_dilemma(
    __name__,
    "BattleOfTheColors",
    "meet on a block; each prefers its own colour",
    pays=PAYS,
    planners={
        "common_welfare": "CommonWelfare",
        "self_interest": "SelfInterest",
        "biased_red": "BiasedRed",
        "biased_blue": "BiasedBlue",
    },
    reference="common_welfare",
    rules=Option("paper", "as the paper says, or as its released code does", choices=("paper", "released")),
)
