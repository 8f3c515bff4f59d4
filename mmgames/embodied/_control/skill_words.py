"""Sentences that the words of all skill games share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mmgames.core.game_modules import always
from mmgames.embodied._control import telling
from mmgames.embodied._control.scene import ControlView, SkillResult

HOW = (
    "In every decision each arm is told one skill; both do theirs at the same time, and the next decision comes when "
    "both have ended. Only skills that an arm can try at that moment are possible: a hand takes something if it is "
    "empty and reaches it, and puts down only what it holds. A skill may still fail, for example when arms are in each "
    "other's way; then you are told why. A hand that has put something down rises and draws back a little; to go home "
    "takes it out of the other's way, with what it holds."
)


def two_arms(seats: Sequence[str], length: int, game: Any) -> tuple[Callable[[ControlView], Any], ...]:
    """`you`, `notation`, what has come so far, and `names` of a skill game, given as its class."""
    skills = [skill.name for skill in game.skills]
    success = game.task.fact("success")

    def story(view: ControlView) -> str:
        past = [f"Decision {number}. {came(results)}." for number, results in enumerate(view.scene.story, 1)]
        return "\n".join([*past, telling.time(view, length, view.scene.facts[success], "decision")])

    def came(results: Sequence[SkillResult]) -> str:
        return "; ".join(f"{seat}: {outcome(result)}" for seat, result in zip(seats, results, strict=True))

    return (
        telling.two_arms(seats, length, success)[0],
        always(f"An action is the name of one of these skills, if it is possible now: {', '.join(skills)}."),
        story,
        lambda view: {number: skills[number] for number in view.possible},
    )


def outcome(result: SkillResult) -> str:
    return f"{result.skill} – failed, {result.failed}" if result.failed else f"{result.skill} – done"
