"""A stag hunt on a grid: safe apples for oneself, or a monster that only two can beat."""

from mmgames.games._dilemma import grid_dilemma

PAYS = {
    "apple": (2, "what an apple pays a player"),
    "alone": (-2, "what it pays to meet the monster alone"),
    "together": (5, "what it pays each player to meet the monster with others"),
}

SPEC = grid_dilemma(
    __name__,
    "MonsterHunt",
    "apples alone, or the monster together",
    pays=PAYS,
    planners={
        "chase": "Chase",
        "wait_middle": "WaitMiddle",
        "wait_corner": "WaitCorner",
        "self_interest": "SelfInterest",
    },
    reference="wait_middle",
)
