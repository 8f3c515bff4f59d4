"""The grid kit: what CoinDilemma, MonsterHunt and BattleOfTheColors share, usual or varied."""

from mmgames.core.spec import Agents, GameSpec, Option, Outcome
from mmgames.games._dilemma.setup import PLAYERS, ROLES, STEPS, setup_options


def grid_dilemma(
    package: str,
    name: str,
    summary: str,
    *,
    pays: dict[str, tuple[int, str]],
    planners: dict[str, str],
    reference: str,
    **options: Option,
) -> GameSpec:
    """The spec of a grid dilemma. Its planners, classes by name, are in the baselines' module of the folder's name."""
    baselines = f"mmgames.baselines.planners.{package.rpartition('.')[2]}"
    return GameSpec(
        name=name,
        package=package,
        summary=summary,
        seats=ROLES[:PLAYERS],
        dynamics="simultaneous",
        information="perfect",
        utility="general_sum",
        actions="discrete",
        chance="incidental",
        length=STEPS,
        source="VS-Bench",
        family="grid dilemmas",
        options={**setup_options(pays), **options},
        agents=Agents(
            {
                "optimum": "mmgames.baselines.search.dilemma_optimum:Optimum",
                **{agent: f"{baselines}:{kind}" for agent, kind in planners.items()},
            },
            talkers={"announcer": "mmgames.baselines.talking.announcer:Announcer"},
            reference=(reference,),
        ),
        batched=True,
        looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes", "compass"),
        outcome=Outcome(signals=f"{__name__}.signals:signals"),
    )
