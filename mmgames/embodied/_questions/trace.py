"""Trace: where two robots go, as five points each on the picture that one of them sees. VIKI-Bench's third level."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mmgames.core.prompt import section
from mmgames.embodied._questions.kitchen import Judged, KitchenSource, load, tags
from mmgames.embodied._scenes import scenes, traces
from mmgames.embodied._scenes.scenes import SceneName
from mmgames.embodied._world import Feedback, generator
from mmgames.embodied._world.paths import HEIGHT, WIDTH, Distances, distances, read_paths, worst
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Style
from mmgames.text.refusals import Illegal

_QUESTION = (
    "You are {ego} ({ego_type}) and see the kitchen over your own shoulder; your partner is {partner} "
    "({partner_type}). You go for: {first}. Your partner goes for: {second}. Trace both ways on the picture, from "
    "where each robot's hand is now to what it goes for, around the furniture: five points at equal distances each."
)


class Trace(KitchenSource):
    """Asks for two paths of five points; the reward is by root mean square, Hausdorff and Fréchet distance."""

    def __init__(
        self,
        spec: TaskSpec,
        style: Style,
        split: generator.Split = "train",
        template: str = "",
        scene: SceneName = "drawn",
    ) -> None:
        super().__init__(spec, style, split, template, scene)
        if template and len(generator.templates()[template].active) < 2:
            raise MmgamesError(f"{spec.id}: template {template} has one robot; paths are asked for two.")

    def draw_task(self, rng: np.random.Generator) -> KitchenTask:
        while True:
            task = super().draw_task(rng)
            if len(task.team) >= 2:
                return task

    def about(self, task: KitchenTask) -> Question:
        first, second = task.team[:2]
        found = traces.trace(task, generator.reference_plan(task), first.name, second.name, self.scene)
        width, height = self.style.size, round(self.style.size * HEIGHT / WIDTH)
        scale = width / WIDTH
        answer = [[[round(x * scale, 1), round(y * scale, 1)] for x, y in path] for path in found.paths]
        asked = _QUESTION.format(
            ego=first.name, ego_type=first.type, partner=second.name, partner_type=second.type,
            first=found.targets[0], second=found.targets[1],
        )  # fmt: skip
        form = "[[[x, y], … five points], [[x, y], … five points]] as JSON, your own path first."
        size = f"The picture is {width} pixels wide and {height} high; (0, 0) is its top left corner."
        parts = [
            section("Question", asked),
            section("Answer", tags(self.style, form)),
            section("Picture", size),
            section("Job", task.instruction),
        ]
        look = (task, task.world.start, first.name, found.look_at, width)
        pictures = (scenes.over_shoulder(self.scene, *look),) if self.style.drawn else ()
        facts = self.facts(task, ego=first.name, partner=second.name, width=width, height=height)
        return Question(pictures, "\n\n".join(parts), {}, frozenset(), json.dumps(answer), facts)

    def judge(self, question: Question, content: str) -> tuple[float, Any, dict[str, Any]] | Illegal:
        value = load(content)
        if isinstance(value, Illegal):
            return value
        width, height = question.facts["width"], question.facts["height"]
        paths = read_paths(value, traces.POINTS, width, height)
        if isinstance(paths, Feedback):
            return Illegal(paths.kind, str(paths), content[:200])
        scale = WIDTH / width
        truth = json.loads(question.answer)
        found = [
            distances(np.array(path) * scale, np.array(right) * scale) for path, right in zip(paths, truth, strict=True)
        ]
        accuracy = float(np.mean([one.accuracy for one in found]))
        return accuracy, paths, _measures(found)

    def remarks(self, question: Question, answer: Judged) -> dict[str, Any]:
        return {**_measures([worst()]), **super().remarks(question, answer)}

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        """Any points."""
        size = (question.facts["width"], question.facts["height"])
        points = (rng.random((2, traces.POINTS, 2)) * size).round(1).tolist()
        return f"<think></think><answer>{json.dumps(points)}</answer>"


def _measures(found: list[Distances]) -> dict[str, float]:
    return {
        "rmse": float(np.mean([one.rmse for one in found])),
        "hausdorff": float(np.mean([one.hausdorff for one in found])),
        "frechet": float(np.mean([one.frechet for one in found])),
    }
