"""Plans: read from JSON, with typed feedback about what is wrong and how to mend it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from mmgames.embodied._world.names import read
from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import RefusalKind
from mmgames.text.replies import no_answer_kind

Plan = list[dict[str, list[str]]]
"""One dict a step: what each robot does, as [verb, name, …]."""

Error = Literal[
    "unreadable", "invalid_command", "unknown_entity", "not_feasible", "incompatible", "stage_order", "goal_missed",
    "too_long", "crash",
]  # fmt: skip

MOST_STEPS = 1000
MOST_TEXT = 1_000_000
_ANSWER = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.DOTALL | re.IGNORECASE)
_LAST_LIST = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_BAD = re.compile(r"[<>,]")


@dataclass(frozen=True)
class Feedback:
    """Why a plan does not work. Steps count from 1; what does not belong to one step or robot is None."""

    error: Error
    reason: str
    mend: str = ""
    step: int | None = None
    robot: str | None = None
    rule: str = ""
    kind: RefusalKind = "not in the asked form"  # under which it is counted where the reply is refused for it

    def __str__(self) -> str:
        where = ", ".join(filter(None, (f"step {self.step}" if self.step else "", self.robot or "")))
        kind = self.error.replace("_", " ").capitalize()
        return " ".join(filter(None, (f"{kind}{f' ({where})' if where else ''}: {self.reason}", self.mend)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "error": self.error, "step": self.step, "robot": self.robot, "rule": self.rule, "reason": self.reason,
            "mend": self.mend,
        }  # fmt: skip


def feedback(name: str, /, step: int | None = None, robot: str | None = None, **facts: Any) -> Feedback:
    """What refusals.json says under a name, with facts in its sentences."""
    error, rule, reason, mend, *kind = SAID[name]
    facts = {"form": _FORM, **facts}
    return Feedback(error, reason.format(**facts), mend.format(**facts), step, robot, rule, *kind)


class _Twice(list):
    """The members of a JSON object in which a name occurs twice."""


def _members(pairs: list[tuple[str, Any]]) -> Any:
    members = dict(pairs)
    return members if len(members) == len(pairs) else _Twice(pairs)


SAID: dict[str, list[Any]] = read("refusals")
"""Why something is no plan, or does not work: the error, the rule, the reason, what mends it, and how it is counted."""

_DECODER = json.JSONDecoder(object_pairs_hook=_members)
_FORM = 'A plan is a JSON list such as [{"step": 1, "actions": {"R1": ["Move", "apple"]}}].'


def answer_of(text: str) -> str:
    """What a reply answers, as it is written there: what stands in its answer tag, in its code fence, or from a line on
    that begins a list up to the end; otherwise the whole of it. Tags or fences that differ answer nothing."""
    said, cut = strip_reasoning(text)
    if cut:
        said = text  # a thought that was never closed, and the tags behind it
    tagged = {_unfenced(one) for one in _ANSWER.findall(said)} if "<" in said else set()
    if tagged:
        return tagged.pop() if len(tagged) == 1 else ""
    return _unfenced(said)


def _unfenced(text: str) -> str:
    fenced = {one.strip() for one in _FENCE.findall(text)} if "```" in text else set()
    if fenced:
        return fenced.pop() if len(fenced) == 1 else ""
    begins = _LAST_LIST.search(text)
    return text[begins.start() if begins else 0 :].strip()


def read_steps(text: Any) -> Plan | Feedback:
    """The plan in a reply, which `answer_of` finds there, as JSON; the single actions are not looked at yet."""
    if not isinstance(text, str):
        return feedback("no text", what=type(text).__name__)
    if len(text) > MOST_TEXT:
        return feedback("too much text", count=len(text), most=MOST_TEXT)
    content = answer_of(text)
    try:
        steps = _DECODER.decode(content)
    except RecursionError:
        return feedback("too deep")
    except ValueError as error:
        return replace(feedback("no JSON", why=str(error)[:120]), kind=no_answer_kind(content))
    if not isinstance(steps, list) or isinstance(steps, _Twice):
        return replace(feedback("no JSON list"), kind=no_answer_kind(content))
    if not steps:
        return feedback("no steps")
    plan: Plan = []
    for number, step in enumerate(steps, 1):
        if not isinstance(step, dict) or "actions" not in step:
            return feedback("no step", number)
        given = step.get("step", number)
        if given != number or isinstance(given, bool):
            return feedback("number", number, number=number, given=_short(given))
        actions = step["actions"]
        if isinstance(actions, _Twice):
            names = [name for name, _ in actions]
            twice = next(name for name in names if names.count(name) > 1)
            return feedback("twice", number, twice, name=_short(twice))
        plan.append(actions)
    return plan


def syntax(plan: Sequence[Mapping[str, Any]]) -> Feedback | None:
    """What is wrong with the form of a plan that was not read from text."""
    if isinstance(plan, (str, bytes)) or not isinstance(plan, Sequence):
        return feedback("no list")
    if len(plan) > MOST_STEPS:
        return feedback("too many steps", count=len(plan), most=MOST_STEPS)
    for step, actions in enumerate(plan, 1):
        if not isinstance(actions, Mapping):
            return feedback("no object", step, number=step)
        for robot, action in actions.items():
            if robot.__class__ is not str:
                return feedback("no name", step, name=_short(robot))
            if action.__class__ not in (list, tuple) or not action or not all(map(_is_word, action)):
                return feedback("no action", step, str(robot)[:40], said=_short(action))
    return None


def _is_word(word: Any) -> bool:
    return word.__class__ is str and word != "" and not word.isspace() and not _BAD.search(word)


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= 60 else text[:57] + "…"
