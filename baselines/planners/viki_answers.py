"""Reference answers to the three kitchen questions: by knowing, by simple rules, by chance."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from mmgames.embodied._questions.kitchen import KitchenSource
from mmgames.embodied._questions.plan import Plan
from mmgames.embodied._scenes import traces
from mmgames.embodied._scenes.positions import locate
from mmgames.embodied._world.generator import reference_plan
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied._world.paths import WIDTH
from mmgames.embodied._world.plans import Plan as Steps
from mmgames.embodied._world.task import KitchenTask
from mmgames.tasks.questions import Question

GROUND_WORDS = ("inspect", "check", "look whether", "box", "on the ground")
ARM_WORDS = ("arm", "arms")


def activate_by_rules(task: KitchenTask) -> list[str]:
    """Whoever has hands and can move acts, unless the job is for a dog; an arm acts when the job speaks of arms."""
    words = task.instruction.lower()
    walkers = [robot for robot in task.robots if robot.kind in ("humanoid", "wheeled")]
    chosen = list(walkers)
    if any(word in words for word in GROUND_WORDS) or not walkers:
        chosen += [robot for robot in task.robots if robot.kind == "dog"]
    if any(word in words.replace(",", " ").replace(".", " ").split() for word in ARM_WORDS) or not chosen:
        chosen += [robot for robot in task.robots if robot.kind == "arm"]
    return sorted({robot.type for robot in chosen})


def straight_lines(task: KitchenTask, *robots: str) -> list[list[list[float]]]:
    """Straight from where each robot is to what it goes for, through whatever stands between."""
    found = traces.trace(task, reference_plan(task), *robots)
    positions = locate(task, task.world.start)
    paths = []
    for robot, target in zip(robots, found.targets, strict=True):
        pose = positions.robots[robot]
        line = [(pose.x, pose.y, traces.HAND), traces.point_of(positions, target)]
        paths.append([list(point) for point in traces.project(found.camera, traces.resample(line, traces.POINTS))])
    return paths


def tagged(value: object) -> str:
    return f"<think></think><answer>{json.dumps(value)}</answer>"


def numbered_steps(plan: Steps) -> list[dict[str, Any]]:
    return [{"step": number, "actions": actions} for number, actions in enumerate(plan, 1)]


def _oracle(source: KitchenSource, question: Question, rng: np.random.Generator) -> str:
    return f"<think></think><answer>{question.answer}</answer>"


def _random(source: KitchenSource, question: Question, rng: np.random.Generator) -> str:
    return source.guess(question, rng)


def _heuristic(source: KitchenSource, question: Question, rng: np.random.Generator) -> str:
    task = source.task
    assert task is not None
    if source.spec.kind == "activate":
        return tagged(activate_by_rules(task))
    if isinstance(source, Plan):
        return f"<think></think><answer>{source.in_form(greedy_plan(task) or [])}</answer>"
    scale = question.facts["width"] / WIDTH
    lines = straight_lines(task, *question.facts["robots"])
    paths = [[[round(x * scale, 1), round(y * scale, 1)] for x, y in path] for path in lines]
    return tagged(paths)


ANSWERERS: dict[str, Callable[[KitchenSource, Question, np.random.Generator], str]] = {
    "random": _random,
    "heuristic": _heuristic,
    "oracle": _oracle,
}
"""`heuristic` activates by rules, plans greedily and draws straight lines; `oracle` plans shortest, knows the rest."""
