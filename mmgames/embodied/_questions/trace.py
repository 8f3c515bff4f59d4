"""Trace: where robots go, as five points each on the picture that one of them sees. VIKI-Bench's third level."""

import json
from functools import lru_cache
from typing import Any

import numpy as np

from mmgames.embodied._questions.kitchen import SAID, Judged, KitchenSource, load, tags
from mmgames.embodied._scenes import traces
from mmgames.embodied._scenes.scenes import SceneName
from mmgames.embodied._world import Feedback, generator, released_answers
from mmgames.embodied._world import paths as measures
from mmgames.embodied._world.paths import HEIGHT, WIDTH, Distances, PathPoints, distances
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied.viki_kitchen.words import picture_legend
from mmgames.errors import MmgamesError
from mmgames.tasks.questions import Question
from mmgames.text.refusals import Illegal
from mmgames.text.replies import no_answer_kind


def asked(task: KitchenTask, found: traces.RobotTrace, width: int) -> str:
    """The question about some paths, on a picture of a width."""
    types = {robot.name: robot.type for robot in task.robots}
    ego, *others = found.robots
    goes = [f"You go for: {found.targets[0]}."]
    for name, target in zip(others, found.targets[1:], strict=True):
        goes.append(f"Your partner {name} ({types[name]}) goes for: {target}.")
    many, height = "both" if len(others) == 1 else "all", round(width * HEIGHT / WIDTH)
    return SAID["paths"].format(ego=ego, type=types[ego], goes=" ".join(goes), all=many, width=width, height=height)


def form(found: traces.RobotTrace) -> str:
    """What an answer looks like."""
    listed = ", ".join(["[[x, y], … five points]"] * len(found.robots))
    others = found.robots[1:]
    order = "your own path first" if len(others) == 1 else f"first your own path, then those of {', '.join(others)}"
    return f"[{listed}] as JSON, {order}."


class Trace(KitchenSource):
    """Asks for paths of five points of all robots that act, which are all in sight; by the released rules, of two.

    The reward is by root mean square, Hausdorff and Fréchet distance.
    """

    usual_views = ("ego",)

    def prepare(self) -> None:
        self.pictures_vary = False  # one of each view
        self.most = 2 if self.rules == "released" else None
        if self.views[-1] != "ego":
            raise MmgamesError(f'{self.spec.id}: the last of views is "ego", on which paths are traced.')
        if self.template and len(generator.templates()[self.template].active) < 2:
            raise MmgamesError(
                f"{self.spec.id}: template {self.template} has one robot; paths are asked for two or more."
            )

    def suits(self, task: KitchenTask) -> bool:
        return len(task.team) >= 2 and super().suits(task) and self.in_sight(task)

    def in_sight(self, task: KitchenTask) -> bool:
        """Whether two robots or more act, and all that is asked about can be seen. Exported rows need no more."""
        if len(task.team) < 2:
            return False
        found = self.trace(task, "drawn", self.most)
        return len(found.robots) >= 2 and found.in_sight

    @staticmethod
    @lru_cache(maxsize=1024)
    def trace(task: KitchenTask, scene: SceneName, most: int | None = None) -> traces.RobotTrace:
        """The paths of all robots that act, or of the first of them. It takes its time, so the last ones are kept."""
        plan = generator.reference_plan(task)
        robots = traces.acting(plan, [robot.name for robot in task.team])[:most]
        return traces.trace(task, plan, *robots, scene=scene)

    def about(self, task: KitchenTask) -> Question:
        found = self.trace(task, self.scene, self.most)
        width = self.style.size
        scale = width / WIDTH
        answer = [[[round(x * scale, 1), round(y * scale, 1)] for x, y in path] for path in found.paths]
        both = "Picture 1 shows the kitchen from above, picture 2 in its upper part what you see."
        told = [both] if "above" in self.views else []
        if not self.labels:
            told.append(picture_legend(self.scene, False, *self.views[:-1], "shoulder"))
        parts = {
            "Question": asked(task, found, width),
            "Answer": tags(self.style, form(found)),
            "Picture": " ".join(told),
            "Job": task.instruction,
        }
        ego, partner, *_ = found.robots
        facts = {"ego": ego, "partner": partner, "robots": found.robots, "width": width}
        return self.in_sections(task, parts, json.dumps(answer), **facts, height=round(width * HEIGHT / WIDTH))

    def robots_see(self, task: KitchenTask) -> list[np.ndarray]:
        sight = self.trace(task, self.scene, self.most).sight
        return [traces.picture(sight, self.scene, task, self.style.size, self.labels)]

    def judge(self, question: Question, content: str) -> tuple[float, Any, dict[str, Any]] | Illegal:
        value = load(content)
        if isinstance(value, Illegal):
            return value
        width, height = question.facts["width"], question.facts["height"]
        paths = measures.read_paths(value, traces.POINTS, width, height, len(json.loads(question.answer)))
        if isinstance(paths, Feedback):
            return Illegal(paths.kind, str(paths), content[:200])
        found = self._distances(question, paths)
        return _accuracy(found), paths, _measures(found)

    def read_as_released(self, question: Question, reply: str) -> Judged:
        scored = released_answers.scored_paths(reply, traces.POINTS)
        measured = released_answers.measured_paths(reply, traces.POINTS)
        remarks: dict[str, Any] = _measures(self._distances(question, measured) if measured else [measures.NONE])
        if scored is None:
            said = released_answers.first_answer(reply) or ""
            remarks |= Illegal(no_answer_kind(said), "This is not two paths of five points.", reply[:200]).as_info()
        accuracy = _accuracy(self._distances(question, scored)) if scored else 0.0
        return Judged(released_answers.is_paths(reply, traces.POINTS), accuracy, scored, remarks)

    def _distances(self, question: Question, paths: list[PathPoints]) -> list[Distances]:
        scale = WIDTH / question.facts["width"]
        truth = json.loads(question.answer)
        return [
            distances(np.array(path) * scale, np.array(right) * scale) for path, right in zip(paths, truth, strict=True)
        ]

    def remarks(self, question: Question, answer: Judged) -> dict[str, Any]:
        return {**_measures([measures.worst()]), **super().remarks(question, answer)}

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        """Any points."""
        size = (question.facts["width"], question.facts["height"])
        points = (rng.random((len(question.facts["robots"]), traces.POINTS, 2)) * size).round(1).tolist()
        return f"<think></think><answer>{json.dumps(points)}</answer>"


def _accuracy(found: list[Distances]) -> float:
    return float(np.mean([one.accuracy for one in found]))


def _measures(found: list[Distances]) -> dict[str, float]:
    return {name: float(np.mean([getattr(one, name) for one in found])) for name in ("rmse", "hausdorff", "frechet")}
