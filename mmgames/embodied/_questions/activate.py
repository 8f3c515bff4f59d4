"""Activate: which robots should act? VIKI-Bench's first level."""

from __future__ import annotations

import json
from math import comb
from typing import Any

import numpy as np

from mmgames.core.prompt import section
from mmgames.embodied._questions.kitchen import Judged, KitchenSource, kitchen, load, tags
from mmgames.embodied._world import released_answers
from mmgames.embodied._world.names import TYPES
from mmgames.embodied._world.task import KitchenTask
from mmgames.tasks.questions import Question
from mmgames.text.refusals import Illegal

_QUESTION = (
    "Several robots stand in a kitchen and there is one job. Say which types of robots should act so that the job is "
    "done in as few steps as possible; the others stay idle. An arm cannot move, a dog has no hands, a robot on wheels "
    "has one hand and a humanoid two."
)
_MOST_GUESSED = 3  # types


class Activate(KitchenSource):
    """Asks for the types of the robots that are to act; compared as a set."""

    def about(self, task: KitchenTask) -> Question:
        answer = json.dumps(sorted({robot.type for robot in task.team}))
        here = "\n".join(f"- {robot.name}: {robot.type}" for robot in task.robots)
        parts = [
            section("Question", _QUESTION),
            section("Answer", tags(self.style, 'a JSON list of types, such as ["fetch", "stompy"].')),
            section("Job", task.instruction),
            kitchen(task, self.style) if self.style.words_alone else "",
            section("Robots", here) if self.style.words_alone else "",
            self.how_to_look(task),
            section("Types", ", ".join(f"{type} ({kind})" for type, kind in TYPES.items())),
        ]
        text = "\n\n".join(filter(None, parts))
        return Question(self.pictures(task), text, {}, frozenset(), answer, self.facts(task))

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
