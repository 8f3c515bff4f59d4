"""What the words of all control games share; sentences stand in words.md, here and in the games' own folders."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mmgames.core.game_modules import always
from mmgames.core.spec import GameSpec
from mmgames.embodied._control.scene import ControlTask, ControlView, Pose, RobotScene, SkillResult, heading, matrix
from mmgames.text.prose import paragraphs

SHARED = paragraphs(__package__, "words")
Told = Callable[[ControlView], Any]


def told(spec: GameSpec, **numbers: float) -> list[Told]:
    """`rules`, with numbers in them, and if there is one the `legend` of a game."""
    own = paragraphs(spec.package, "words")
    rules = own["rules"].format(length=spec.length, skills=SHARED["skills"], **numbers)
    return [always(rules), *(always(own[part]) for part in ("legend",) if part in own)]


def number(value: float) -> str:
    """To a centimetre, without a minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}"


def place(pose: Sequence[float]) -> str:
    return f"({', '.join(map(number, pose[:3]))})"


def turned(pose: Pose) -> str:
    """The heading of something whose four sides look the same."""
    return f"{round(np.degrees(heading(pose))) % 90} degrees"


def hand(pose: Pose, joints: Sequence[float]) -> str:
    """A hand with two fingers: where it is, where it points and how far it is open."""
    axes = matrix(pose)
    along = round(np.degrees(np.arctan2(axes[1, 1], axes[0, 1]))) % 180
    leans = round(np.degrees(np.arccos(np.clip(-axes[2, 2], -1, 1))))
    points = "points straight down" if leans < 3 else f"leans {leans} degrees from straight down"
    gap = round(100 * sum(joints[-2:]))
    return f"at {place(pose)}, {points}, fingers {gap} cm apart in a line {along} degrees from the x axis"


def time(view: ControlView, length: int, done: bool, unit: str = "step") -> str:
    if view.over:
        units = unit if view.step == 1 else f"{unit}s"
        return f"It is over after {view.step} {units}: {'the job is done' if done else 'the job is not done'}."
    reached = round(100 * view.scene.reached)
    return f"{unit.capitalize()} {view.step + 1} of {length}. The job has come to {reached} % so far."


def two_arms(spec: GameSpec, game: Any, things: Sequence[str]) -> tuple[Told, ...]:
    """`you`, `notation`, `history`, `describe` and `names` of a game of two arms, given as its class; things by name.

    The picture shows where everything is; in metres it is told on request.
    """
    task: ControlTask = game.task
    skills = [skill.name for skill in getattr(game, "skills", ())]
    listed = f"An action is the name of one of these skills, if it is possible now: {', '.join(skills)}."

    def you(view: ControlView) -> str:
        if view.seat is None:
            return "You are watching."
        own, other = spec.seats[view.seat], spec.seats[1 - view.seat]
        return f"You move the {own} arm. Somebody else moves the {other} one at the same time."

    def notation(view: ControlView) -> str:
        return listed if skills else SHARED["hand" if view.numbers == 7 else "joints"]

    def so_far(view: ControlView) -> str:
        lines = []
        for number, results in enumerate(view.scene.story, 1):
            came = (f"{seat}: {outcome(result)}" for seat, result in zip(spec.seats, results, strict=True))
            lines.append(f"Decision {number}. {'; '.join(came)}.")
        done = view.scene.facts[task.fact("success")]
        return "\n".join([*lines, time(view, spec.length, done, "decision" if skills else "step")])

    def describe(view: ControlView) -> str:
        arms = zip(spec.seats, view.scene.robots, strict=True)
        hands = (f"The {seat} hand is {hand(robot.hand, robot.joints)}." for seat, robot in arms)
        return "\n".join([so_far(view), *_places(task, view.scene, spec.seats, things), *hands])

    def history(view: ControlView) -> str:
        return describe(view) if view.coordinates else so_far(view)

    return you, notation, history, describe, lambda view: {number: skills[number] for number in view.possible}


def outcome(result: SkillResult) -> str:
    return f"{result.skill} – failed, {result.failed}" if result.failed else f"{result.skill} – done"


def _places(task: ControlTask, scene: RobotScene, seats: Sequence[str], things: Sequence[str]) -> Iterator[str]:
    """Where things are, which have these names, and who holds those that can be taken."""
    for number, (name, pose, start) in enumerate(zip(things, scene.things, task.starts, strict=True)):
        more = ""
        if start.half:
            held = " and the ".join(seat for robot, seat in enumerate(seats) if task.holds(scene, robot, number))
            more = f", turned by {turned(pose)}; {f'held by the {held} arm' if held else 'nobody holds it'}"
        yield f"The {name} is at {place(pose)}{more}."
