"""Reference answers to the three kitchen questions: by knowing, by simple rules, by chance."""

import json
from collections.abc import Callable, Sequence

import numpy as np

from mmgames.embodied._questions.kitchen import KitchenSource
from mmgames.embodied._questions.plan import Plan
from mmgames.embodied._world.greedy import greedy_plan
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


def straight_lines(paths: Sequence[Sequence[Sequence[float]]]) -> list[list[list[float]]]:
    """Straight on the picture from each hand to what it goes for, through whatever stands between."""
    return [np.linspace(path[0], path[-1], len(path)).round(1).tolist() for path in paths]


def tagged(value: object) -> str:
    return f"<think></think><answer>{json.dumps(value)}</answer>"


def _heuristic(source: KitchenSource, question: Question, rng: np.random.Generator) -> str:
    task = source.task
    assert task is not None
    if source.spec.kind == "activate":
        return tagged(activate_by_rules(task))
    if isinstance(source, Plan):
        return f"<think></think><answer>{source.in_form(greedy_plan(task) or [])}</answer>"
    return tagged(straight_lines(json.loads(question.answer)))


ANSWERERS: dict[str, Callable[[KitchenSource, Question, np.random.Generator], str]] = {
    "random": lambda source, question, rng: source.guess(question, rng),
    "heuristic": _heuristic,
    "oracle": lambda source, question, rng: f"<think></think><answer>{question.answer}</answer>",
}
"""`heuristic` activates by rules, plans greedily and draws straight lines; `oracle` plans shortest, knows the rest."""
