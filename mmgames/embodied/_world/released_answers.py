"""Replies read as the released scorer reads them: what stands in the first answer tag, as a Python literal.

The scorer pays a tenth for the form. Answers that only Python's `eval` could read have no form here, as nothing that a
reply says is run, and a list of types that is no literal is compared as text without spaces.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.embodied._world.paths import PathPoints
from mmgames.embodied._world.plans import Feedback, Plan
from mmgames.text.replies import no_answer_kind

_FORM = "A plan is a Python list such as [{'step': 1, 'actions': {'R1': ['Move', 'apple']}}] in an answer tag."
# No part is looked for anew once it is found, so a long reply takes no longer than to read it.
_TAGGED = re.compile(r"<think>(?>.*?</think>)(?>.*?<answer>).*?</answer>", re.DOTALL)
_TAGGED_SOMEWHERE = re.compile(r"(?>.*?<think>)(?>.*?</think>\s*<answer>).*?</answer>", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def first_answer(reply: str) -> str | None:
    """What stands in the first answer tag, or None."""
    _, opened, rest = reply.partition("<answer>")
    content, closed, _ = rest.partition("</answer>")
    return content.strip() if opened and closed else None


def is_tagged(reply: str) -> bool:
    """Whether a reply begins with a thought and has an answer after it; what follows does not matter."""
    return _TAGGED.match(reply) is not None


def literal(text: str | None) -> Any:
    """The value of a Python literal; ValueError for anything else."""
    try:
        return ast.literal_eval(text or "")
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(str(error)[:120]) from None


def same_types(reply: str, truth: str) -> bool:
    """Whether the first answer names the robot types of the truth, in any order and as often as it likes."""
    said = first_answer(reply) or ""
    try:
        found, right = literal(said), literal(truth)
        if isinstance(found, list):
            return {tuple(one) if isinstance(one, list) else one for one in found} == set(right)
    except (ValueError, TypeError):
        pass
    return "".join(said.split()) == "".join(truth.split())


def is_list(reply: str) -> bool:
    said = first_answer(reply) or ""
    return is_tagged(reply) and said.startswith("[") and said.endswith("]") and len(said) > 1


def is_plan(reply: str) -> bool:
    """Whether a reply has the form of a plan; doubled braces count as single ones here, though not for the plan."""
    said = first_answer(reply) or ""
    if "{{" in said and "}}" in said:
        said = said.replace("{{", "{").replace("}}", "}")
    try:
        return is_tagged(reply) and isinstance(literal(said), (list, dict))
    except ValueError:
        return False


def read_value(reply: str) -> Any | Feedback:
    said = first_answer(reply)
    if said is None:
        return Feedback("unreadable", "There is no answer tag.", _FORM, kind=no_answer_kind(reply))
    try:
        return literal(said)
    except ValueError as error:
        return Feedback("unreadable", f"This is no Python literal: {error}.", _FORM, kind=no_answer_kind(said))


def read_steps(reply: str) -> Plan | Feedback:
    """The plan in a reply. Numbers of steps are not looked at, and what is no step is left out."""
    value = read_value(reply)
    return value if isinstance(value, Feedback) else steps_of(value)


def steps_of(value: Any) -> Plan:
    found = (step.get("actions") for step in value if isinstance(step, dict)) if isinstance(value, list) else ()
    return [actions for actions in found if isinstance(actions, dict) and actions]


def is_paths(reply: str, count: int) -> bool:
    """Whether paths have their form: an answer right after a thought, anywhere."""
    return _TAGGED_SOMEWHERE.match(reply) is not None and scored_paths(reply, count) is not None


def scored_paths(reply: str, count: int) -> list[PathPoints] | None:
    """The two paths that the score is for; points may lie outside the picture."""
    try:
        value = literal(first_answer(reply))
        if not isinstance(value, list) or len(value) != 2:
            return None
        if any(not isinstance(path, list) or len(path) != count for path in value):
            return None
        return [[_point(point) for point in path] for path in value]
    except (ValueError, OverflowError):
        return None


def _point(point: Any) -> tuple[float, float]:
    if not isinstance(point, (list, tuple)) or len(point) != 2 or not all(isinstance(x, (int, float)) for x in point):
        raise ValueError("not a point")
    return float(point[0]), float(point[1])


def measured_paths(reply: str, count: int) -> list[PathPoints] | None:
    """The two paths whose distances its table is made of: as many loose numbers as there should be will do, too."""
    paths = scored_paths(reply, count)
    numbers = [float(number) for number in _NUMBER.findall(first_answer(reply) or "")]
    if paths is None and len(numbers) == 4 * count:
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        return [points[:count], points[count:]]
    return paths


def with_names(plan: Any, types: Mapping[str, str]) -> Any:
    """The steps of a plan in which robots may be called by their type, in any case: `types` are type -> name."""
    if not isinstance(plan, list):
        return plan
    steps = []
    for step in plan:
        if isinstance(step, dict) and isinstance(step.get("actions"), dict):
            named = {types.get(str(robot).lower(), robot): action for robot, action in step["actions"].items()}
            step = {**step, "actions": named}
        steps.append(step)
    return steps


def same_robots(said: Any, types: Sequence[str]) -> bool:
    """Whether a list of types, in any case, names just these."""
    return isinstance(said, list) and {str(one).lower() for one in said} == {one.lower() for one in types}
