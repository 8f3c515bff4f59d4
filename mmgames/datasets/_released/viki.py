"""VIKI-Bench's released questions: the prompts and pictures of the files, judged here and by the released rule."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.datasets import viki
from mmgames.datasets._released.rows import ReleasedFile, ReleasedSource, literal, open_parquet
from mmgames.embodied._questions.activate import Activate
from mmgames.embodied._questions.kitchen import ACCURACY_SHARE, FORMAT_SHARE
from mmgames.embodied._questions.plan import Plan
from mmgames.embodied._questions.trace import Trace
from mmgames.embodied._scenes.traces import POINTS
from mmgames.embodied._world import check
from mmgames.embodied._world.judge import Rules
from mmgames.embodied._world.names import TYPES
from mmgames.embodied._world.paths import distances
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Style

_FIRST_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_THOUGHT_FIRST = re.compile(r"</think>\s*<answer>")
CORRECT_ABOVE = FORMAT_SHARE
"""By the released rule an answer is right if its score is higher than what the form alone earns."""


class VikiRow(NamedTuple):
    system: str
    user: str
    answer: str  # as our own questions have it
    task: KitchenTask | None = None  # of a plan


def read_row(row: dict[str, Any]) -> VikiRow:
    """A row of the file without its pictures; a ValueError says what is wrong with it."""
    messages = {message["role"]: message["content"] for message in row["prompt"]}
    truth = row["reward_model"]["ground_truth"]
    task = None
    if row["data_source"] == "viki_1":
        types = literal(truth)
        if not isinstance(types, (list, tuple)) or not types or not set(types) <= set(TYPES):
            raise ValueError(f"its truth {truth[:60]!r} is no list of robot types")
        answer = json.dumps(sorted(set(types)))
    elif row["data_source"] == "viki_2":
        task = viki.task_of(truth)
        answer = json.dumps(viki.without_nulls(truth["time_steps"]))
    elif row["data_source"] == "viki_3":
        paths = literal(truth)
        if not _are_paths(paths):
            raise ValueError(f"its truth {truth[:60]!r} is not two paths of {POINTS} points")
        answer = json.dumps(paths)
    else:
        raise ValueError(f"its data_source {row['data_source']!r} is none of {', '.join(viki.LEVELS)}")
    return VikiRow(messages.get("system", ""), messages["user"].removeprefix("<image>").lstrip(), answer, task)


def _are_paths(value: Any) -> bool:
    return bool(np.shape(value) == (2, POINTS, 2)) if isinstance(value, (list, tuple)) else False


class ReleasedKitchen(ReleasedSource):
    """A level of the files; the level's own source reads and judges the replies."""

    level: str

    def open_file(self, path: Path) -> ReleasedFile:
        found = viki.released_file(path, self.level)
        if found is None:
            raise MmgamesError(f"{path} holds no questions for {self.spec.id}: {viki.WHERE.format(self.level[-1])}.")
        return open_parquet(found, ("data_source", "prompt", "reward_model"), read_row, "images")

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        system, user, answer, self.task = self.file.contents[number]  # type: ignore[misc]
        text = f"{system}\n\n{user}" if system else user
        return Question(pictures, text, {}, frozenset(), answer, self.row_facts(number), system=system)

    def released_score(self, question: Question, reply: Any) -> float:
        """0.1 for the form and 0.9 for the answer, of which the first one in tags counts."""
        found = _FIRST_ANSWER.search(reply) if isinstance(reply, str) else None
        if found is None:
            return 0.0
        said = found[1].strip()
        formed, accuracy = self.released_judgement(question, said)
        tagged = reply.strip().startswith("<think>") and reply.strip().endswith("</answer>")
        formed = formed and tagged and _THOUGHT_FIRST.search(reply) is not None
        return FORMAT_SHARE * formed + ACCURACY_SHARE * accuracy

    def released_judgement(self, question: Question, said: str) -> tuple[bool, float]:
        """Whether an answer has the form, and how right it is."""
        raise NotImplementedError


class ReleasedActivate(ReleasedKitchen, Activate):
    level = "viki_1"

    def __init__(self, spec: TaskSpec, style: Style, released: str | os.PathLike[str]) -> None:
        super().__init__(spec, style)
        self.open(released)

    def released_score(self, question: Question, reply: Any) -> float:
        return float(super().released_score(question, reply) > CORRECT_ABOVE)

    def released_judgement(self, question: Question, said: str) -> tuple[bool, float]:
        listed = said.startswith("[") and said.endswith("]")
        try:
            types = literal(said)
            return listed, float(set(types) == set(json.loads(question.answer)))
        except (ValueError, TypeError):
            return listed, 0.0


class ReleasedPlan(ReleasedKitchen, Plan):
    level = "viki_2"

    def __init__(
        self,
        spec: TaskSpec,
        style: Style,
        released: str | os.PathLike[str],
        attempts: int = 1,
        feedback: bool = True,
        rules: Rules = "paper",
    ) -> None:
        super().__init__(spec, style, attempts=attempts, feedback=feedback, rules=rules)
        self.open(released)

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        self._tried = 0
        return super().row_question(number, pictures)

    def released_score(self, question: Question, reply: Any) -> float:
        return float(super().released_score(question, reply) > CORRECT_ABOVE)

    def released_judgement(self, question: Question, said: str) -> tuple[bool, float]:
        assert self.task is not None
        try:
            steps = literal(said)
        except ValueError:
            return False, 0.0
        if not isinstance(steps, (list, dict)):
            return False, 0.0
        try:
            plan = [step["actions"] for step in steps]  # type: ignore[index]
        except (KeyError, TypeError):
            return True, 0.0
        return True, float(check(self.task, plan, "released").solved)


class ReleasedTrace(ReleasedKitchen, Trace):
    level = "viki_3"

    def __init__(self, spec: TaskSpec, style: Style, released: str | os.PathLike[str]) -> None:
        super().__init__(spec, style)
        self.open(released)

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        asked = super().row_question(number, pictures)
        height, width = (pictures or self.file.pictures(number))[0].shape[:2]
        return replace(asked, facts={**asked.facts, "width": width, "height": height})

    def released_judgement(self, question: Question, said: str) -> tuple[bool, float]:
        try:
            paths = literal(said)
        except ValueError:
            return False, 0.0
        if not _are_paths(paths):
            return False, 0.0
        truth: Sequence[Any] = json.loads(question.answer)
        return True, float(np.mean([distances(one, other).accuracy for one, other in zip(paths, truth, strict=True)]))
