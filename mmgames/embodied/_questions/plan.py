"""Plan: the whole plan for a kitchen job, as JSON. VIKI-Bench's second level, with pass@k."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from mmgames.core.prompt import section
from mmgames.embodied._questions.kitchen import SAID, Judged, KitchenSource, kitchen, load, robots, tags
from mmgames.embodied._scenes.scenes import SceneName
from mmgames.embodied._world import Feedback, Verdict, check, check_text, generator, released_answers
from mmgames.embodied._world.judge import Rules
from mmgames.embodied._world.names import VERBS
from mmgames.embodied._world.plans import Plan as Steps
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied.viki_kitchen.words import rules as how_it_works
from mmgames.errors import MmgamesError, unknown
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Style
from mmgames.text.refusals import Illegal

MOST_ATTEMPTS = 100
Form = Literal["plan", "challenge"]
FORMS: dict[Form, str] = {form: SAID[f"form of {form}"] for form in get_args(Form)}


class Plan(KitchenSource):
    """Asks for a plan. With `attempts` a plan that fails may be tried again, after feedback if `feedback` is set.

    With `form="challenge"` an answer also says which robots act, and may call them by their types.
    """

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
        form: Form = "plan",
        labels: bool = True,
        views: str | Sequence[str] | None = None,
    ) -> None:
        super().__init__(spec, style, split, template, scene, rules, labels, views)
        if isinstance(attempts, bool) or not isinstance(attempts, int) or not 1 <= attempts <= MOST_ATTEMPTS:
            raise MmgamesError(f"{spec.id}: attempts={attempts!r} is out of range; it is 1 to {MOST_ATTEMPTS}.")
        if form not in FORMS:
            raise unknown("form", form, spec.id, FORMS)
        self.attempts, self.feedback, self.form = attempts, bool(feedback), form
        self._tried = 0

    def about(self, task: KitchenTask) -> Question:
        self.task, self._tried = task, 0
        plan = generator.reference_plan(task)
        short = SAID["plan as optimal" if self.rules == "optimal" else "plan as reference"]
        parts = {
            "Question": SAID["plan"].format(short=short),
            "Rules": how_it_works(None),  # type: ignore[arg-type]
            "Answer": tags(self.style, FORMS[self.form]),
            "Job": task.instruction,
            "Robots": robots(task),
            "Kitchen": kitchen(task, self.style),
            "Pictures": self.how_to_look(task),
        }
        lengths = {"optimum": task.optimum, "reference_length": task.reference_length}
        return self.in_sections(task, parts, self.in_form(plan), **lengths, attempt=1)

    def in_form(self, plan: Steps) -> str:
        """A plan as an answer in the form that is asked for."""
        assert self.task is not None
        answer: Any = [{"step": number, "actions": actions} for number, actions in enumerate(plan, 1)]
        if self.form == "challenge":
            acting = {name for step in plan for name in step}
            types = sorted({robot.type for robot in self.task.robots if robot.name in acting})
            answer = {"selected_robots": types, "action_plan": answer}
        return json.dumps(answer)

    def judge(self, question: Question, content: str) -> tuple[float, Any, dict[str, Any]] | Illegal:
        assert self.task is not None
        chosen: dict[str, Any] = {}
        if self.form == "challenge":
            value = load(content)
            if isinstance(value, Illegal):
                return value
            if not isinstance(value, dict) or "action_plan" not in value:
                return Illegal("not in the asked form", f"The answer is not {FORMS[self.form]}", content[:200])
            steps, chosen = self._challenge(value)
            content = json.dumps(steps)
        verdict = check_text(self.task, content, self.rules)
        wrong = verdict.feedback
        if wrong is not None and wrong.error == "unreadable":
            return Illegal(wrong.kind, str(wrong), content[:200])
        return float(verdict.solved), content, {**_remarks(verdict), **chosen}

    def read_as_released(self, question: Question, reply: str) -> Judged:
        assert self.task is not None
        chosen: dict[str, Any] = {}
        value = released_answers.read_value(reply)
        formed = released_answers.is_plan(reply)
        if self.form == "challenge":
            value, chosen = self._challenge(value) if isinstance(value, dict) else (value, {})
            formed = chosen.get("robots_right", False)  # there the tenth is for the robots
            if not chosen and not isinstance(value, Feedback):
                value = Feedback("unreadable", f"The answer is not {FORMS[self.form]}")
        if isinstance(value, Feedback):
            verdict = Verdict(False, 0, value)
        else:
            verdict = check(self.task, released_answers.steps_of(value), "released")
        remarks = {**_remarks(verdict), **chosen}
        if verdict.feedback is not None and verdict.feedback.error == "unreadable":
            remarks |= Illegal(verdict.feedback.kind, str(verdict.feedback), reply[:200]).as_info()
        return Judged(formed, float(verdict.solved), reply, remarks)

    def _challenge(self, value: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The steps of an answer in the challenge's form, robots by their names, and whether the right ones act."""
        assert self.task is not None
        names = {robot.type: robot.name for robot in self.task.team}
        right = released_answers.same_robots(value.get("selected_robots"), tuple(names))
        return released_answers.with_names(value.get("action_plan"), names), {"robots_right": right}

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
        for _ in range(int(rng.integers(2, 7))):
            robot = self.task.robots[int(rng.integers(len(self.task.robots)))].name
            verb = VERBS[int(rng.integers(7))].capitalize()
            steps.append({robot: [verb, world.names[int(rng.integers(len(world.names)))]]})
        return f"<think></think><answer>{self.in_form(steps)}</answer>"


def _remarks(verdict: Verdict) -> dict[str, Any]:
    wrong = verdict.feedback
    return {
        "valid": verdict.valid,
        "length": verdict.length,
        "extra_steps": verdict.extra_steps,
        "feedback": None if wrong is None else wrong.to_dict(),
    }
