"""The grid kit: what CoinDilemma, MonsterHunt and BattleOfTheColors share, usual or varied."""

from dataclasses import replace

from mmgames.core.spec import GameSpec, Option, spec_in
from mmgames.games._dilemma.setup import setup_options


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
    kit = spec_in(__name__)
    known = {**kit.agents.known, **{agent: f"{baselines}:{kind}" for agent, kind in planners.items()}}
    return replace(
        kit,
        name=name,
        package=package,
        summary=summary,
        options={**setup_options(pays), **options},
        agents=replace(kit.agents, known=known, reference=(reference,)),
    )
