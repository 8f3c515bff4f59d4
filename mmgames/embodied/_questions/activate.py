"""Activate: which robots should act? VIKI-Bench's first level."""

import json
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np

from mmgames.embodied._questions.kitchen import SAID, Judged, KitchenSource, kitchen, load, tags
from mmgames.embodied._world import released_answers, teams
from mmgames.embodied._world.names import TYPES
from mmgames.embodied._world.task import KitchenTask
from mmgames.tasks.questions import Question
from mmgames.text.refusals import Illegal

_MOST_GUESSED = 3  # types


class Activate(KitchenSource):
    """Asks for the types of the robots that are to act; compared as a set.

    Robots of other kinds stand about. A kitchen has a job for each team that can be the only best of those who are
    there: nobody is quicker, and nobody of it can be spared. So neither who is there nor what lies about tells who
    acts. Questions with the numbers 2 n and 2 n + 1 are about two jobs in one kitchen, with the same picture.
    """

    def task_numbered(self, number: int) -> KitchenTask | None:
        if self.template:  # its jobs are of one kind: who is there is as it comes
            task = super().task_numbered(number)
            return task if task and teams.only_best(task) else None
        task = teams.jobs(number // 2, self.split, self.rules == "released")[number % 2]
        return replace(task, id=f"{self.split}-{number}_{task.template}")

    def about(self, task: KitchenTask) -> Question:
        answer = json.dumps(sorted({robot.type for robot in task.team}))
        here = "\n".join(f"- {robot.name}: {robot.type}" for robot in task.robots)
        parts = {
            "Question": SAID["who acts"],
            "Answer": tags(self.style, 'a JSON list of types, such as ["fetch", "stompy"].'),
            "Job": task.instruction,
            "Kitchen": kitchen(task, self.style) if self.style.words_alone else "",
            "Robots": here if self.style.words_alone else "",
            "Pictures": self.how_to_look(task),
            "Types": ", ".join(f"{type} ({kind})" for type, kind in TYPES.items()),
        }
        return self.in_sections(task, parts, answer, kitchen=task.seed)

    def judge(self, question: Question, content: str) -> tuple[float, Any, dict[str, Any]] | Illegal:
        value = load(content)
        if isinstance(value, Illegal):
            return value
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            return Illegal("not in the asked form", "The answer is not a JSON list of robot types.", content[:200])
        said = sorted(set(value))
        wrong = [name for name in said if name not in TYPES]
        if wrong:
            reason = f"There is no robot type {wrong[0][:40]!r}. Known: {', '.join(TYPES)}."
            return Illegal("not possible here", reason, content[:200])
        return float(said == json.loads(question.answer)), said, {}

    def read_as_released(self, question: Question, reply: str) -> Judged:
        right = released_answers.same_types(reply, question.answer)
        return Judged(released_answers.is_list(reply), float(right), released_answers.first_answer(reply))

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        names = list(TYPES)
        count = int(rng.integers(1, _MOST_GUESSED + 1))
        chosen = [names[int(i)] for i in rng.permutation(len(names))[:count]]
        return f"<think></think><answer>{json.dumps(chosen)}</answer>"

    def chance(self, question: Question) -> float:
        right = len(json.loads(question.answer))
        return 1 / comb(len(TYPES), right) / _MOST_GUESSED if right <= _MOST_GUESSED else 0.0
