"""Robots under control: ManiSkill's physics as games of this suite, and what their rules, pictures and words share."""

from collections.abc import Mapping
from typing import Any

from mmgames.core.spec import Agents, GameSpec, Option, Simulator

COORDINATES = {
    "coordinates": Option(
        False, "whether prompts with a picture also tell where everything is, in metres", choices=(False, True)
    )
}
"""The option of all games of robots."""

CONTROL = {"control": Option("hand", "what the numbers of an action move", choices=("hand", "joints"))}
"""The option of games that are `game.TwoArms`, besides."""


def robot_control(
    package: str,
    name: str,
    summary: str,
    planner: str,
    options: Mapping[str, Option] | None = None,
    vector: str = "",
    **more: Any,
) -> GameSpec:
    """The spec of a game of robots; `planner` is the agent's module and class among the baselines' planners."""
    facts: dict[str, Any] = {
        "dynamics": "simultaneous",
        "information": "perfect",
        "utility": "identical",
        "actions": "box",
        "chance": "incidental",
        "length": 100,
        "source": "ManiSkill3",
        "family": "robot control",
        "extras": ("embodied",),
        "agents": Agents({"planner": f"mmgames.baselines.planners.{planner}"}, reference=("planner",)),
        "searchable": False,
        "simulator": Simulator(slow_picture=True, slow_steps=True, vector=vector),
        "options": {**(options or {}), **COORDINATES},
    }
    return GameSpec(name=name, package=package, summary=summary, **(facts | more))


def robot_skills(package: str, name: str, summary: str, planner: str) -> GameSpec:
    """The spec of a game of two arms with skills; its length is in decisions."""
    return robot_control(package, name, summary, planner, seats=("left", "right"), actions="discrete", length=12)
