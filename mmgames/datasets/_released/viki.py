"""VIKI-Bench's released questions: the prompts and pictures of the files, judged here and by the released rule."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.datasets import viki
from mmgames.datasets._released.rows import ReleasedFile, ReleasedSource, literal, open_parquet
from mmgames.embodied._questions.activate import Activate
from mmgames.embodied._questions.kitchen import FORMAT_SHARE
from mmgames.embodied._questions.plan import Plan
from mmgames.embodied._questions.trace import Trace
from mmgames.embodied._scenes.traces import POINTS
from mmgames.embodied._world.judge import Rules
from mmgames.embodied._world.names import TYPES
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Style

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
        if not isinstance(paths, (list, tuple)) or np.shape(paths) != (2, POINTS, 2):
            raise ValueError(f"its truth {truth[:60]!r} is not two paths of {POINTS} points")
        answer = json.dumps(paths)
    else:
        raise ValueError(f"its data_source {row['data_source']!r} is none of {', '.join(viki.LEVELS)}")
    return VikiRow(messages.get("system", ""), messages["user"].removeprefix("<image>").lstrip(), answer, task)


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
        """By the form (0.1) and the first answer in tags (0.9); ways are more or less good, the rest right or wrong."""
        level: Any = self  # a question of the level that this is mixed into
        score: float = level.read_as_released(question, reply).score if isinstance(reply, str) else 0.0
        return score if self.level == "viki_3" else float(score > CORRECT_ABOVE)


class ReleasedActivate(ReleasedKitchen, Activate):
    level = "viki_1"


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
        Plan.__init__(self, spec, style, attempts=attempts, feedback=feedback, rules=rules)
        self.open(released)

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        self._tried = 0
        return super().row_question(number, pictures)


class ReleasedTrace(ReleasedKitchen, Trace):
    level = "viki_3"

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        asked = super().row_question(number, pictures)
        height, width = (pictures or self.file.pictures(number))[0].shape[:2]
        return replace(asked, facts={**asked.facts, "width": width, "height": height})
