"""check: does a plan do the job? A verdict with typed feedback, by the clean rules or by the released ones.

By `paper` and `released` a plan may be as long as the task's reference plan, by `optimal` as long as a shortest one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from mmgames.embodied._world import kernel, released, released_answers
from mmgames.embodied._world.names import ARGUMENTS, CODES, KINDS, PLACE, VERBS
from mmgames.embodied._world.planner import shortest_length
from mmgames.embodied._world.plans import MOST_STEPS, MOST_TEXT, SAID, Feedback, Plan, feedback, read_steps, syntax
from mmgames.embodied._world.task import KitchenTask, KitchenWorld, Predicate
from mmgames.errors import nearest, unknown
from mmgames.kernels.compiling import compiled_in_background, switch_to_compiled

Rules = Literal["paper", "optimal", "released"]
RULES: tuple[Rules, ...] = get_args(Rules)
MOST_KNOWN = 10_000  # so many different actions a world remembers as numbers
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


def _in_time(length: int, wrong: Feedback | None, most: int) -> Verdict:
    """The verdict on a plan that is valid if nothing is wrong; with `most` 0 it may take as long as it likes."""
    if wrong is not None:
        return Verdict(False, length, wrong)
    extra = length - most if 0 < most < length else 0
    if extra:
        wrong = feedback("too long", length=length, most=most)
    return Verdict(True, length, wrong, extra)


def _encode(
    world: KitchenWorld, plan: Sequence[Mapping[str, Sequence[str]]]
) -> tuple[list[bytes], int, Feedback | None]:
    """A plan as numbers, its length, and what is wrong with it; the numbers end at the first name that is not known."""
    known = world.codes
    codes: list[bytes] = []
    try:
        for step in plan:
            codes += [known[(name, *action)] for name, action in step.items()]
            codes.append(_STEP)
        length = sum(map(bool, plan))
        if 0 < length <= MOST_STEPS:
            return codes, length, None
    except (KeyError, TypeError, AttributeError):
        pass  # an action that was not seen before, or something that is none
    wrong = syntax(plan)
    length = 0 if wrong is not None and wrong.error == "unreadable" else sum(map(bool, plan))
    if wrong is not None or not length:
        return [], length, wrong or feedback("no actions")
    codes = []
    for number, step in enumerate(plan, 1):
        row = []
        for name, action in step.items():
            found = _numbers(world, name, action)
            if found is None:
                return codes, length, _unknown(world, number, name, action)
            row.append(np.array(found, kernel.ACTION).tobytes())
            if len(known) < MOST_KNOWN:
                known[(name, *action)] = row[-1]
        codes += [*row, _STEP]
    return codes, length, None


def encode_step(world: KitchenWorld, step: Mapping[str, Sequence[str]]) -> tuple[tuple[int, int, int], ...]:
    """One step of a plan that is known to be right: (verb, first, second) for every robot."""
    acts = [(0, -1, -1)] * len(world.task.robots)
    for name, action in step.items():
        found = _numbers(world, name, action)
        assert found is not None
        acts[found[0]] = found[1:]
    return tuple(acts)


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
    robots = [known.name for known in world.task.robots]
    if robot not in robots:
        return feedback("unknown robot", step, robot[:40], name=robot[:40], known=", ".join(robots))
    verb, words = action[0].lower(), action[1:]
    if verb not in CODES:
        known = f"{', '.join(VERBS)}.{nearest(verb, VERBS)}"
        return feedback("unknown verb", step, robot, name=action[0][:40], known=known)
    for word in words:
        if word not in world.nodes:
            return feedback("unknown name", step, robot, name=word[:40], near=nearest(word, world.nodes))
    if len(words) not in ARGUMENTS[verb]:
        takes = " or ".join(map(str, ARGUMENTS[verb]))
        takes += " name" if takes == "1" else " names"
        return feedback("arguments", step, robot, verb=verb.capitalize(), takes=takes, count=len(words))
    return feedback("no thing", step, robot, name=words[0])


_RULES = {getattr(kernel, name): name for name in SAID if name.isupper()}
"""What the kernel calls the rules that forbid an action."""


def _explain(
    world: KitchenWorld, plan: Plan | Sequence[Any], what: int, step: int, robot: int, detail: int
) -> Feedback:
    task = world.task
    if what == kernel.FAILED_GOAL:
        return feedback("goal", wish=_wish(world.wanted[detail]))
    if what == kernel.FAILED_STAGES:
        order = ", then ".join(" and ".join(map(_wish, stage)) for stage in task.chains[detail])
        return feedback("never", order=order) if step < 0 else feedback("early", step + 1, order=order)
    name, kind = task.robots[robot].name, task.robots[robot].kind
    action = list(plan[step][name])
    said = f"{action[0].capitalize()} {', '.join(action[1:])}"
    if what == kernel.FAILED_CONFLICT:
        return feedback("conflict", step + 1, name, said=said)
    verb = action[0].lower()
    target = action[-1] if verb == "place" or (verb == "handover" and detail == kernel.APART) else action[1]
    return feedback(
        _RULES[detail], step + 1, name,
        said=said, kind=kind, verb=verb, who=name, target=target, other=action[-1],
        able=", ".join(r.name for r in task.robots if verb in KINDS[r.kind].verbs) or "none here can",
        way=f'["Move", "{target}"]' if KINDS[kind].moves else "it cannot move, so let another robot bring it",
        state="open" if verb == "open" else "closed",
    )  # fmt: skip


def _wish(predicate: Predicate) -> str:
    return predicate.said("activated", "not activated")
