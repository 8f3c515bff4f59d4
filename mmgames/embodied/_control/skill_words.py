"""Sentences that the words of all skill games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.embodied._control import telling
from mmgames.embodied._control.scene import ControlView, SkillResult

HOW = (
    "In every decision each arm is told one skill; both do theirs at the same time, and the next decision comes when "
    "both have ended. Only skills that an arm can try at that moment are possible: a hand takes something if it is "
    "empty and reaches it, and puts down only what it holds. A skill may still fail, for example when arms are in each "
    "other's way; then you are told why. A hand that has put something down rises and draws back a little; to go home "
    "takes it out of the other's way, with what it holds."
)
NOTATION = "An action is the name of a skill, such as go home."


def two_arms(
    seats: Sequence[str], length: int, game: Any
) -> tuple[Callable[[ControlView], str], Callable[[ControlView], str], Callable[[ControlView], Mapping[int, str]]]:
    """`you`, `history` and `names` of a skill game."""
    you = telling.two_arms(seats, length, 0)[0]

    def history(view: ControlView) -> str:
        done = view.scene.facts[game.task.fact("success")]
        if view.over:
            ended = "the job is done" if done else "the job is not done"
            now = f"It is over after {count(view.step, 'decision')}: {ended}."
        else:
            reached = round(100 * view.scene.reached)
            now = f"Decision {view.step + 1} of {length}. The job has come to {reached} % so far."
        return "\n".join([*(_decision(number, came) for number, came in enumerate(view.scene.story, 1)), now])

    def _decision(number: int, came: Sequence[SkillResult]) -> str:
        told = (f"{seat}: {one.skill} – {_outcome(one)}" for seat, one in zip(seats, came, strict=True))
        return f"Decision {number}. {'; '.join(told)}."

    def names(view: ControlView) -> Mapping[int, str]:
        return {number: game.skills[number].name for number in view.possible}

    return you, history, names


def count(many: int, what: str) -> str:
    return f"{many} {what}{'' if many == 1 else 's'}"


def _outcome(result: SkillResult) -> str:
    return f"failed, {result.failed}" if result.failed else "done"
