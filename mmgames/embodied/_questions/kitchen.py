"""What the three questions about a kitchen have in common: who is there, how to answer, tags and their score."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mmgames.core.prompt import section
from mmgames.drawing.canvas import blank
from mmgames.embodied import viki_kitchen
from mmgames.embodied._scenes import scenes
from mmgames.embodied._scenes.scenes import SceneName
from mmgames.embodied._world import generator
from mmgames.embodied._world.judge import RULES, Rules
from mmgames.embodied._world.names import HANDS, KINDS
from mmgames.embodied._world.plans import MOST_TEXT, answer_of
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied.viki_kitchen.words import picture_legend, situation
from mmgames.errors import MmgamesError, unknown
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import AnswerKind, Question, Source, Style
from mmgames.text.prose import paragraphs
from mmgames.text.refusals import Illegal
from mmgames.text.replies import no_answer_kind

FORMAT_SHARE, ACCURACY_SHARE = 0.1, 0.9
TAGS = re.compile(r"\s*<think>.*</think>\s*<answer>.*</answer>\s*", re.DOTALL | re.IGNORECASE)
GAME = "mmgames/VikiKitchen-v0"
SAID = paragraphs(__package__, "words")
VIEWS = viki_kitchen.SPEC.options["view"].choices


@dataclass(frozen=True)
class Judged:
    """What a reply comes to. `accuracy` is the level's own measure, from 0 to 1."""

    formatted: bool
    accuracy: float
    said: Any = None  # what was read from it
    remarks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def score(self) -> float:
        return FORMAT_SHARE * self.formatted + ACCURACY_SHARE * self.accuracy


class KitchenSource(Source):
    """Asks about tasks of the planning world. `split` and `template` choose which, `scene` what pictures show.

    `labels=False` draws them without a word. `views` are the pictures of a question: the kitchen from "above", and in
    "ego" what the camera of each robot sees.

    With `rules="released"` only released templates are drawn, and replies are read and scored as by the released code.
    """

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text",)
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text")
    num_answers = 0
    usual_views: ClassVar[tuple[str, ...]] = ("above",)

    def __init__(
        self,
        spec: TaskSpec,
        style: Style,
        split: generator.Split = "train",
        template: str = "",
        scene: SceneName = "drawn",
        rules: Rules = "paper",
        labels: bool = True,
        views: str | Sequence[str] | None = None,
    ) -> None:
        super().__init__(spec, style)
        if not isinstance(labels, bool):
            raise MmgamesError(f"{spec.id}: labels={labels!r} is not possible; it is True or False.")
        self.labels, self.views = labels, read_views(self.usual_views if views is None else views, spec.id)
        self.pictures_vary = "ego" in self.views
        named = (
            ("rules", rules, RULES),
            ("split", split, generator.SPLITS),
            ("template", template, generator.templates()),
        )
        for option, value, known in named:
            if value not in known and (value or option != "template"):
                raise unknown(option, value, spec.id, known)
        if rules == "released" and template and not generator.templates()[template].released:
            raise MmgamesError(f'{spec.id}: template {template} is one of ours, which rules="released" does not draw.')
        scenes.check(scene, spec.id)
        self.split, self.template, self.scene, self.rules = split, template, scene, rules
        self.task: KitchenTask | None = None
        """What the last question is about."""
        self.prepare()

    def prepare(self) -> None:
        """Look at the options and note what follows from them."""

    def task_numbered(self, number: int) -> KitchenTask | None:
        """The task with a number as it is asked about; None if it is not."""
        task = generator.generate(number, self.split, self.template or None)
        return task if self.suits(task) else None

    def suits(self, task: KitchenTask) -> bool:
        """Whether a task can be asked about: by the released rules, one whose shortest plan they can follow."""
        if self.rules != "released":
            return True
        return generator.templates()[task.template].released and generator.works_as_released(task)

    def ask(self, rng: np.random.Generator) -> Question:
        while (task := self.task_numbered(int(rng.integers(2**31)))) is None:
            pass
        self.task = task
        return self.about(task)

    def pictures(self, task: KitchenTask) -> tuple[np.ndarray, ...]:
        """The pictures of a kitchen as it is at the start, if they are asked for, all of one shape."""
        if not self.style.drawn:
            return ()
        start, size, shown = task.world.start, self.style.size, []
        for view in self.views:
            if view == "above":
                shown.append(scenes.overview(self.scene, task, start, size, self.labels))
            else:
                shown += [on_page(seen) if len(self.views) > 1 else seen for seen in self.robots_see(task)]
        return tuple(shown)

    def robots_see(self, task: KitchenTask) -> list[np.ndarray]:
        """The pictures of the view "ego"."""
        where = self.scene, task, task.world.start
        return [scenes.through_eyes(*where, robot.name, self.style.size, self.labels) for robot in task.robots]

    def how_to_look(self, task: KitchenTask) -> str:
        """Which picture is which, and without labels how to read them; empty for one picture with labels."""
        if self.style.words_alone:
            return ""
        told = []
        if self.views != ("above",):
            eyes = [f"what the camera of {robot.name} sees" for robot in task.robots]
            shown = [part for view in self.views for part in (["the kitchen from above"] if view == "above" else eyes)]
            told = [f"Picture {number} shows {what}." for number, what in enumerate(shown, 1)]
        if not self.labels:
            told.append(picture_legend(self.scene, False, *self.views))
        return " ".join(told)

    def in_sections(self, task: KitchenTask, parts: Mapping[str, str], answer: str, **facts: Any) -> Question:
        """A question made of sections; those without text are left out."""
        text = "\n\n".join(section(title, body) for title, body in parts.items() if body)
        facts = {
            "game": self.spec.game, "task": task.id, "template": task.template, "layout": task.layout,
            "split": self.split, **facts,
        }  # fmt: skip
        return Question(self.pictures(task), text, {}, frozenset(), answer, facts)

    def about(self, task: KitchenTask) -> Question:
        """The question about one task."""
        raise NotImplementedError

    def judge(self, question: Question, content: str) -> tuple[float, Any, dict[str, Any]] | Illegal:
        """Accuracy, what was read, and remarks, for the text in the answer tag."""
        raise NotImplementedError

    def read_as_released(self, question: Question, reply: str) -> Judged:
        """What the released scorer makes of a reply."""
        raise NotImplementedError

    @property
    def asked_form(self) -> str:
        return "Reply as <think>…</think><answer>…</answer>, with the JSON that was asked for in the answer."

    def read(self, question: Question, reply: Any) -> Judged | Illegal:
        if not isinstance(reply, str):
            reason = f"The reply is {type(reply).__name__}, not text."
            return Illegal("not in the asked form", reason, repr(reply)[:200])
        if len(reply) > MOST_TEXT:
            reason = f"The reply has {len(reply):,} characters; at most {MOST_TEXT:,} are read."
            return Illegal("too long", reason, reply[:200])
        if self.rules == "released":
            return self.read_as_released(question, reply)
        formatted = TAGS.fullmatch(reply) is not None
        judged = self.judge(question, answer_of(reply))
        if isinstance(judged, Illegal):
            return Judged(formatted, 0.0, None, judged.as_info()) if formatted else judged
        accuracy, said, remarks = judged
        return Judged(formatted, accuracy, said, remarks)

    def score(self, question: Question, answer: Judged) -> float:
        return answer.score

    def exact(self, question: Question, answer: Judged) -> bool:
        return answer.accuracy == 1.0

    def remarks(self, question: Question, answer: Judged) -> dict[str, Any]:
        return {"accuracy": answer.accuracy, "formatted": answer.formatted, **answer.remarks}

    def truth(self, question: Question) -> dict[str, Any]:
        return {"answer": question.answer, "correct": (question.answer,)}


def read_views(views: str | Sequence[str], where: str) -> tuple[str, ...]:
    """The views that a user names, in a list or with commas between them."""
    named = tuple(views.split(",")) if isinstance(views, str) else tuple(views)
    for name in named:
        if name not in VIEWS:
            raise unknown("view", name, where, VIEWS)
    if not named or len(set(named)) < len(named):
        raise MmgamesError(f"{where}: views={views!r} is not possible; name each of {', '.join(VIEWS)} at most once.")
    return named


def on_page(picture: np.ndarray) -> np.ndarray:
    """A picture in the upper part of a square page, as large as others of its question are."""
    page = blank(picture.shape[1], picture.shape[1])
    page[: picture.shape[0]] = picture
    return page


def load(content: str) -> Any | Illegal:
    """The JSON value of an answer."""
    text = content.strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return Illegal(no_answer_kind(text), f"The answer is not JSON: {str(error)[:100]}.", content[:200])


def tags(style: Style, what: str) -> str:
    """How to answer, in tags."""
    think = "Think step by step between the first two tags. " if style.reasoning == "cot" else ""
    return f"{think}Reply as <think>…</think><answer>…</answer>, where the answer is {what}"


def robots(task: KitchenTask) -> str:
    lines = []
    for robot in task.robots:
        kind = KINDS[robot.kind]
        lines.append(f"- {robot.name}: {robot.type}, {kind.name}, {HANDS[kind.hands]}; can {', '.join(kind.verbs)}")
    return "\n".join(lines)


def kitchen(task: KitchenTask, style: Style) -> str:
    """What the picture shows, in words, for those who do not see it."""
    if style.words_alone:
        return situation(task)
    names = ", ".join(asset.name for asset in task.assets)
    return f"The picture shows it. Things: {names}. Places: {', '.join(task.places)}."
