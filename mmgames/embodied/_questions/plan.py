"""Plan: the whole plan for a kitchen job, as JSON. VIKI-Bench's second level, with pass@k."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np

from mmgames.core.prompt import section
from mmgames.embodied._questions.kitchen import Judged, KitchenSource, kitchen, load, robots, tags
from mmgames.embodied._scenes.scenes import SceneName
from mmgames.embodied._world import check_text, generator
from mmgames.embodied._world.judge import Rules
from mmgames.embodied._world.names import VERBS
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied.viki_kitchen.words import rules as how_it_works
from mmgames.errors import MmgamesError, unknown
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Style
from mmgames.text.refusals import Illegal

MOST_ATTEMPTS = 100
_FORM = (
    'a JSON list of steps such as [{"step": 1, "actions": {"R1": ["Move", "apple"], "R2": ["Move", "plate"]}}, …]. '
    "Every robot does at most one action in a step; leave out those that wait."
)
_QUESTION = (
    "Write the whole plan for the robots of a kitchen. It counts if every action is possible, the job is done in the "
    "end, and no plan of these robots is shorter."
)


class Plan(KitchenSource):
    """Asks for a plan. With `attempts` a plan that fails may be tried again, after feedback if `feedback` is set."""

    def __init__(
        self,
        spec: TaskSpec,
        style: Style,
        split: generator.Split = "train",
        template: str = "",
        attempts: int = 1,
        feedback: bool = True,
        rules: Rules = "paper",
        scene: SceneName = "drawn",
    ) -> None:
        super().__init__(spec, style, split, template, scene)
        if isinstance(attempts, bool) or not isinstance(attempts, int) or not 1 <= attempts <= MOST_ATTEMPTS:
            raise MmgamesError(f"{spec.id}: attempts={attempts!r} is out of range; it is 1 to {MOST_ATTEMPTS}.")
        if rules not in ("paper", "released"):
            raise unknown("rules", rules, spec.id, ("paper", "released"))
        self.attempts, self.feedback, self.rules = attempts, bool(feedback), rules
        self._tried = 0

    def about(self, task: KitchenTask) -> Question:
        self.task, self._tried = task, 0
        reference = [
            {"step": number, "actions": actions} for number, actions in enumerate(generator.reference_plan(task), 1)
        ]
        parts = [
            section("Question", _QUESTION),
            section("Rules", how_it_works(None)),  # type: ignore[arg-type]
            section("Answer", tags(self.style, _FORM)),
            section("Job", task.instruction),
            section("Robots", robots(task)),
            kitchen(task, self.style),
        ]
        facts = self.facts(task, optimum=task.reference_length, attempt=1)
        return Question(self.overview(task), "\n\n".join(parts), {}, frozenset(), json.dumps(reference), facts)

    def judge(self, question: Question, content: str) -> tuple[float, Any, dict[str, Any]] | Illegal:
        assert self.task is not None
        if self.style.reading == "lenient":
            content = in_lists(content)
        verdict = check_text(self.task, content, self.rules)
        wrong = verdict.feedback
        remarks = {
            "valid": verdict.valid,
            "length": verdict.length,
            "feedback": None if wrong is None else wrong.to_dict(),
        }
        if wrong is not None and wrong.error == "unreadable":
            return Illegal(wrong.kind, str(wrong), content[:200])
        return float(verdict.solved), content, remarks

    def again(self, question: Question, reply: Any, answer: Judged | Illegal) -> Question | None:
        """The next attempt at the same task, if there is one left and it is needed."""
        solved = isinstance(answer, Judged) and answer.accuracy == 1.0
        self._tried += 1
        if solved or self._tried >= self.attempts:
            return None
        facts = {**question.facts, "attempt": self._tried + 1}
        if not self.feedback:
            return replace(question, facts=facts)
        if isinstance(answer, Illegal):
            reason = answer.reason
        else:
            told = answer.remarks.get("feedback") or {}
            where = ", ".join(filter(None, (told.get("step") and f"step {told['step']}", told.get("robot"))))
            said = " ".join(filter(None, (told.get("reason"), told.get("mend"))))
            reason = f"{where}: {said}" if where else said or str(answer.remarks.get("illegal", ""))
        shown = str(reply)[:4000]
        told_now = section(f"Attempt {self._tried}", f"{shown}\n\nThis plan failed. {reason}")
        return replace(question, text=f"{question.text}\n\n{told_now}", facts=facts)

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        """A few random actions of the right form."""
        assert self.task is not None
        world = self.task.world
        steps = []
        for number in range(1, int(rng.integers(2, 7)) + 1):
            robot = self.task.robots[int(rng.integers(len(self.task.robots)))].name
            verb = VERBS[int(rng.integers(7))].capitalize()
            steps.append({"step": number, "actions": {robot: [verb, world.names[int(rng.integers(len(world.names)))]]}})
        return f"<think></think><answer>{json.dumps(steps)}</answer>"


def in_lists(content: str) -> str:
    """A plan whose actions are sentences, "Push box to R2", with each of them as a list; others as they are."""
    steps = load(content)
    if not isinstance(steps, list):
        return content
    for step in steps:
        actions: Any = step.get("actions") if isinstance(step, dict) else None
        for robot, action in list(actions.items()) if isinstance(actions, dict) else ():
            if isinstance(action, str) and " " in action.strip():
                verb, _, rest = action.strip().partition(" ")
                actions[robot] = [verb, *re.split(" (?:to|into|onto) ", rest)]
    return json.dumps(steps)
