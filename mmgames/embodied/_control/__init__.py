"""Robots under control: ManiSkill's physics as games of this suite, and what their rules, pictures and words share."""

from typing import Any

from mmgames.core.spec import GameSpec, Option

CONTROL = {"control": Option("hand", "what the numbers of an action move", choices=("hand", "joints"))}
"""The option of games that are `game.TwoArms`."""


def robot_control(package: str, name: str, summary: str, planner: str, **more: Any) -> GameSpec:
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
        "agents": {"planner": f"mmgames.baselines.planners.{planner}"},
        "reference": ("planner",),
        "searchable": False,
        "slow_picture": True,
        "slow_steps": True,
    }
    return GameSpec(name=name, package=package, summary=summary, **(facts | more))


def robot_skills(package: str, name: str, summary: str, planner: str) -> GameSpec:
    """The spec of a game of two arms with skills; its length is in decisions."""
    return robot_control(package, name, summary, planner, seats=("left", "right"), actions="discrete", length=12)
