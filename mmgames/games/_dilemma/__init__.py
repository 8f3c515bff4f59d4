"""The grid kit: what CoinDilemma, MonsterHunt and BattleOfTheColors share (5×5 grid, 50 steps, red and blue)."""

from mmgames.core.spec import GameSpec, Option


def grid_dilemma(
    package: str, name: str, summary: str, *, planners: dict[str, str], reference: str, **options: Option
) -> GameSpec:
    """The spec of a grid dilemma. Its planners, classes by name, are in the baselines' module of the folder's name."""
    baselines = f"mmgames.baselines.planners.{package.rpartition('.')[2]}"
    return GameSpec(
        name=name,
        package=package,
        summary=summary,
        seats=("red", "blue"),
        dynamics="simultaneous",
        information="perfect",
        utility="general_sum",
        actions="discrete",
        chance="incidental",
        length=50,
        source="VS-Bench",
        family="grid dilemmas",
        options=options,
        agents={
            "optimum": "mmgames.baselines.search.dilemma_optimum:Optimum",
            **{agent: f"{baselines}:{kind}" for agent, kind in planners.items()},
        },
        reference=(reference,),
        batched=True,
    )
