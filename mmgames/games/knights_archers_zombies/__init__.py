"""Archers and knights hold a line against zombies who come down the field."""

from mmgames.core.spec import Agents, GameSpec, Option

SPEC = GameSpec(
    name="KnightsArchersZombies",
    package=__name__,
    summary="two archers and two knights hold a line against zombies",
    seats=("archer_1", "archer_2", "knight_1", "knight_2"),
    dynamics="simultaneous",
    information="perfect",
    utility="general_sum",
    actions="discrete",
    chance="incidental",
    length=900,
    source="PettingZoo (butterfly)",
    family="continuous worlds",
    options={
        "archers": Option(2, "how many archers there are", low=1, high=4),
        "knights": Option(2, "how many knights there are", low=1, high=4),
        "horizon": Option(900, "how many steps an episode has at the most", low=1, high=10_000),
        "delay": Option(20, "how many steps pass between one zombie and the next", low=1, high=1000),
        "most_zombies": Option(10, "how many zombies there are at the most at a time", low=1, high=30),
        "most_arrows": Option(10, "how many arrows there are at the most at a time", low=1, high=30),
        "deadly": Option(False, "whether players die at the upper and the lower edge", choices=(False, True)),
    },
    agents=Agents(
        {
            "heuristic": "mmgames.baselines.planners.knights_archers_zombies:Heuristic",
            "nearest": "mmgames.baselines.planners.knights_archers_zombies:Nearest",
        },
        reference=("heuristic",),
    ),
    batched=True,
)
