"""The kit of the commons: what Harvest and Cleanup share, from the map to the picture."""

from mmgames.core.spec import Agents, GameSpec, Option

PLAYERS, STEPS, VIEW, REACH = 4, 100, 7, 3
MOST_PLAYERS, LONGEST, MOST_PAID, MOST_GROWTH = 8, 10_000, 100, 20.0
ROLES = ("red", "blue", "green", "yellow", "pink", "cyan", "brown", "black")
PAYS = {
    "apple": (1, "what an apple pays whoever eats it"),
    "fire": (-1, "what it pays to fire the fining beam"),
    "fined": (-50, "what it pays to be hit by another player's fining beam"),
}


def commons(
    package: str, name: str, summary: str, maps: tuple[str, ...], agents: dict[str, str], reference: str, **more: Option
) -> GameSpec:
    """The spec of a commons; its agents are classes by name in the baselines' module of the folder's name."""
    planners = f"mmgames.baselines.planners.{package.rpartition('.')[2]}"
    return GameSpec(
        name=name,
        package=package,
        summary=summary,
        seats=ROLES[:PLAYERS],
        dynamics="simultaneous",
        information="imperfect",
        utility="general_sum",
        actions="discrete",
        chance="incidental",
        length=STEPS,
        source="sequential social dilemmas",
        family="grid dilemmas",
        options={
            "players": Option(PLAYERS, "how many play", low=2, high=MOST_PLAYERS),
            "map": Option(maps[0], "the map: a small one, or one of the size in the literature", choices=maps),
            "horizon": Option(STEPS, "how many steps an episode has", low=1, high=LONGEST),
            "view": Option(
                VIEW,
                "how many cells wide and high the part of the map is that a player sees around itself; 0: everything",
                choices=(0, 3, 5, 7, 9, 11, 13, 15),
            ),
            "rules": Option(
                "paper",
                "the papers', or those of the open code (ssd): players turn and step at once, beams begin beside them, "
                "and things grow otherwise",
                choices=("paper", "ssd"),
            ),
            "reach": Option(REACH, "how many cells far beams go", low=1, high=15),
            **{pay: Option(usual, doc, low=-MOST_PAID, high=MOST_PAID) for pay, (usual, doc) in PAYS.items()},
            "regrowth": Option(
                1.0, "how many times as likely as in the literature apples grow", low=0.0, high=MOST_GROWTH
            ),
            **more,
        },
        agents=Agents(
            {agent: f"{planners}:{kind}" for agent, kind in agents.items()},
            talkers={"announcer": "mmgames.baselines.talking.announcer:Announcer"},
            reference=(reference,),
        ),
        looks=("compass",),
        batched=True,
    )
