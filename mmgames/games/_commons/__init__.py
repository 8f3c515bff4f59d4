"""The kit of the commons: what Harvest and Cleanup share, from the map to the picture."""

from dataclasses import replace

from mmgames.core.spec import GameSpec, Option, spec_in

MOST_PLAYERS = 8
ROLES = ("red", "blue", "green", "yellow", "pink", "cyan", "brown", "black")
PAYS = ("apple", "fire", "fined")
"""The options that say what things pay."""


def commons(
    package: str, name: str, summary: str, maps: tuple[str, ...], agents: dict[str, str], reference: str, **more: Option
) -> GameSpec:
    """The spec of a commons; its agents are classes by name in the baselines' module of the folder's name."""
    planners = f"mmgames.baselines.planners.{package.rpartition('.')[2]}"
    kit = spec_in(__name__)
    known = {agent: f"{planners}:{kind}" for agent, kind in agents.items()}
    return replace(
        kit,
        name=name,
        package=package,
        summary=summary,
        options={**kit.options, "map": replace(kit.options["map"], default=maps[0], choices=maps), **more},
        agents=replace(kit.agents, known=known, reference=(reference,)),
    )
