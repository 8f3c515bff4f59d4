"""check: does a plan do the job? A verdict with typed feedback, by the clean rules or by the released ones.

By `paper` and `released` a plan may be as long as the task's reference plan, by `optimal` as long as a shortest one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from mmgames.embodied._world import kernel, released, released_answers
from mmgames.embodied._world.names import ARGUMENTS, CODES, KINDS, PLACE, VERBS, read
from mmgames.embodied._world.planner import shortest_length
from mmgames.embodied._world.plans import MOST_STEPS, MOST_TEXT, Feedback, Plan, read_steps, syntax
from mmgames.embodied._world.task import KitchenTask, KitchenWorld, Predicate
from mmgames.errors import nearest, unknown
from mmgames.kernels.compiling import compiled_in_background, switch_to_compiled

Rules = Literal["paper", "optimal", "released"]
RULES: tuple[Rules, ...] = get_args(Rules)
MOST_KNOWN = 10_000
"""So many different actions a world remembers as numbers."""

_STEP = np.array((kernel.STEP, 0, 0, 0), kernel.ACTION).tobytes()


class Verdict(NamedTuple):
    """What a plan comes to. It scores if it is valid and not too long."""

    valid: bool  # feasible, in order, and the goals hold
    length: int  # timesteps with an action
    feedback: Feedback | None = None
    extra_steps: int | None = None  # of a valid plan: how many timesteps it takes beyond the reference, at least 0

    @property
    def solved(self) -> bool:
        return self.valid and self.feedback is None


def check(task: KitchenTask, plan: Sequence[Mapping[str, Sequence[str]]], rules: Rules = "paper") -> Verdict:
    """Judge a parsed plan: a list with one dict a step, {robot: [verb, name, …]}."""
    if rules not in RULES:
        raise unknown("rules", rules, "the planning world", RULES)
    if rules == "released":
        return _in_time(*released.check(task, plan), task.reference_length)
    world = task.world
    codes, length, stopped = _encode(world, plan)
    if stopped is not None and (stopped.step is None or stopped.error in ("unreadable", "invalid_command")):
        return Verdict(False, length, stopped)
    switch_to_compiled()
    records = world.start.array, world.kitchen.array, world.idle, np.frombuffer(b"".join(codes), kernel.ACTION)
    what, step, robot, detail = compiled_in_background(kernel.judge)(*records)
    if what == kernel.NOTHING and stopped is None:
        return _in_time(length, None, shortest_length(task) if rules == "optimal" else task.reference_length)
    if stopped is not None and step == 0:
        return Verdict(False, length, stopped)
    return Verdict(False, length, _explain(world, plan, what, step - 1, robot, detail))


def check_text(task: KitchenTask, text: Any, rules: Rules = "paper") -> Verdict:
    """Judge a reply: the plan is read from it first, by the released rules as their scorer reads it."""
    as_released = rules == "released" and isinstance(text, str) and len(text) <= MOST_TEXT
    plan = released_answers.read_steps(text) if as_released else read_steps(text)
    if isinstance(plan, Feedback):
        return Verdict(False, 0, plan)
    return check(task, plan, rules)


def score(verdict: Verdict) -> float:
    return float(verdict.solved)


def _in_time(length: int, feedback: Feedback | None, most: int) -> Verdict:
    """The verdict on a plan that is valid if there is no feedback; with `most` 0 it may take as long as it likes."""
    if feedback is not None:
        return Verdict(False, length, feedback)
    extra = length - most if 0 < most < length else 0
    if extra:
        reason, mend = f"The plan works but takes {length} timesteps.", f"Find a plan with at most {most}."
        feedback = Feedback("too_long", reason, mend, rule="length")
    return Verdict(True, length, feedback, extra)


def _encode(
    world: KitchenWorld, plan: Sequence[Mapping[str, Sequence[str]]]
) -> tuple[list[bytes], int, Feedback | None]:
    """A plan as numbers, its length, and what is wrong with it; the numbers end at the first name that is not known."""
    known = world.codes
    codes: list[bytes] = []
    length = 0
    try:
        for step in plan:
            for name, action in step.items():
                codes.append(known[(name, *action)])
            codes.append(_STEP)
            length += bool(step)
        if 0 < length <= MOST_STEPS:
            return codes, length, None
    except (KeyError, TypeError, AttributeError):
        pass  # an action that was not seen before, or something that is none
    wrong = syntax(plan)
    if wrong is not None:
        return [], 0 if wrong.error == "unreadable" else sum(1 for step in plan if step), wrong
    length = sum(1 for step in plan if step)
    if not length:
        mend = "Say what every robot does, step by step."
        return [], 0, Feedback("unreadable", "The plan has no actions.", mend, kind="nothing said")
    codes = []
    for number, step in enumerate(plan, 1):
        for name, action in step.items():
            found = _numbers(world, name, action)
            if found is None:
                return codes[: _last_step(codes)], length, _unknown(world, number, name, action)
            codes.append(np.array(found, kernel.ACTION).tobytes())
            if len(known) < MOST_KNOWN:
                known[(name, *action)] = codes[-1]
        codes.append(_STEP)
    return codes, length, None


def encode_step(world: KitchenWorld, step: Mapping[str, Sequence[str]]) -> tuple[tuple[int, int, int], ...]:
    """One step of a plan that is known to be right: (verb, first, second) for every robot."""
    acts = [(0, -1, -1)] * len(world.task.robots)
    for name, action in step.items():
        found = _numbers(world, name, action)
        assert found is not None
        acts[found[0]] = found[1:]
    return tuple(acts)


def _last_step(codes: list[bytes]) -> int:
    return len(codes) - next((i for i, code in enumerate(reversed(codes)) if code == _STEP), len(codes))


def _numbers(world: KitchenWorld, name: str, action: Sequence[str]) -> tuple[int, int, int, int] | None:
    """An action as robot, verb and nodes."""
    nodes = world.nodes
    places, things = len(world.place_names), len(world.task.assets)
    robot = nodes.get(name, -1) - places - things
    verb = CODES.get(action[0].lower())
    arguments = [nodes.get(word, -1) for word in action[1:]]
    if robot < 0 or verb is None or -1 in arguments or len(arguments) not in ARGUMENTS[VERBS[verb - 1]]:
        return None
    if verb == PLACE and len(arguments) == 2:  # the thing comes first, then the place
        if not places <= arguments[0] < places + things:
            return None
        arguments.reverse()
    return robot, verb, arguments[0], arguments[1] if len(arguments) == 2 else -1


def _unknown(world: KitchenWorld, step: int, robot: str, action: Sequence[str]) -> Feedback:
    task = world.task
    robots = [known.name for known in task.robots]
    if robot not in robots:
        mend = f"The robots are {', '.join(robots)}."
        return Feedback("unknown_entity", f"There is no robot {robot[:40]!r}.", mend, step, robot[:40], "robot")
    verb, words = action[0].lower(), action[1:]
    if verb not in CODES:
        mend = f"The verbs are {', '.join(VERBS)}.{nearest(verb, VERBS)}"
        return Feedback("unknown_entity", f"There is no verb {action[0][:40]!r}.", mend, step, robot, "verb")
    for word in words:
        if word not in world.nodes:
            mend = f"Use a name from the task.{nearest(word, world.nodes)}"
            return Feedback("unknown_entity", f"There is nothing called {word[:40]!r}.", mend, step, robot, "name")
    takes = " or ".join(map(str, ARGUMENTS[verb]))
    if len(words) not in ARGUMENTS[verb]:
        return Feedback(
            "not_feasible",
            f"{verb.capitalize()} takes {takes} name{'s' if takes != '1' else ''}, not {len(words)}.",
            'Name the thing, and after push and handover where it goes: ["Push", "cardboardbox", "R2"].',
            step, robot, "arguments",
        )  # fmt: skip
    return Feedback("not_feasible", f"{words[0]!r} is nothing that can be placed.", "", step, robot, "arguments")


_RULES: dict[int, list[str]] = {getattr(kernel, name): said for name, said in read("refusals").items()}
"""Which rule forbids an action, why, and what mends it, by the numbers of the kernel."""


def _explain(
    world: KitchenWorld, plan: Plan | Sequence[Any], what: int, step: int, robot: int, detail: int
) -> Feedback:
    task = world.task
    if what == kernel.FAILED_GOAL:
        goal = world.wanted[detail]
        return Feedback("goal_missed", f"At the end {_wish(goal)} is not true.", "Add what is missing.", rule="goal")
    if what == kernel.FAILED_STAGES:
        order = ", then ".join(" and ".join(map(_wish, stage)) for stage in task.chains[detail])
        if step < 0:
            return Feedback("stage_order", "The stages never hold together.", f"Needed: {order}.", rule="stages")
        return Feedback(
            "stage_order", "A later stage holds before an earlier one.", f"Needed: {order}.", step + 1, rule="stages"
        )
    name = task.robots[robot].name
    action = list(plan[step][name])
    if what == kernel.FAILED_CONFLICT:
        mend = "Do one of them in a later step."
        return Feedback("incompatible", f"{_said(action)} gets in another robot's way.", mend, step + 1, name, "step")
    verb, target = action[0].lower(), action[-1] if action[0].lower() == "place" else action[1]
    rule, reason, mend = _RULES[detail]
    kind = task.robots[robot].kind
    if verb == "handover" and detail == kernel.APART:
        target = action[-1]
    able = ", ".join(r.name for r in task.robots if verb in KINDS[r.kind].verbs) or "none here can"
    facts = {
        "kind": kind, "verb": verb, "able": able, "robot": name, "target": target, "other": action[-1],
        "way": f'["Move", "{target}"]' if KINDS[kind].moves else "it cannot move, so let another robot bring it",
        "state": "open" if verb == "open" else "closed",
    }  # fmt: skip
    reason = f"{_said(action)} is not possible: {reason.format(**facts)}."
    return Feedback("not_feasible", reason, mend.format(**facts), step + 1, name, rule)


def _said(action: Sequence[str]) -> str:
    return f"{action[0].capitalize()} {', '.join(action[1:])}"


def _wish(predicate: Predicate) -> str:
    return predicate.said("activated", "not activated")
