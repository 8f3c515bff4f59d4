"""Carry a plan out: step after step, the robots of one step together, until something fails. What became of it is a
value, action by action, in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

import numpy as np

from mmgames.embodied._execution.bodies import BUILDS, HERTZ
from mmgames.embodied._execution.kitchen import ON_FLOOR, Engine, Kitchen
from mmgames.embodied._execution.skills import Worker
from mmgames.embodied._execution.traffic import Skill, SkillFailed
from mmgames.embodied._world import kernel
from mmgames.embodied._world.generator import generate, reference_plan
from mmgames.embodied._world.judge import check, encode_step
from mmgames.embodied._world.plans import Feedback, read_steps
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import MmgamesError, unknown
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.records import RecordState

PlanSteps = Sequence[Mapping[str, Sequence[str]]]
ENGINES: tuple[Engine, ...] = get_args(Engine)
LONGEST = 120 * HERTZ  # an action that takes longer has failed


@dataclass(frozen=True)
class ActionReport:
    """One robot's action in one step of the plan. Steps count from 1."""

    step: int
    robot: str
    action: tuple[str, ...]
    done: bool
    reason: str = ""  # why it failed
    ticks: int = 0  # twentieths of a second that it took

    def __str__(self) -> str:
        said = f"Step {self.step}, {self.robot}: {self.action[0].capitalize()} {', '.join(self.action[1:])}"
        return f"{said}: {'done' if self.done else f'failed: {self.reason}'}"


@dataclass(frozen=True)
class ExecutionReport:
    """What was done of a plan, up to the step in which something failed."""

    task: str
    engine: str
    actions: tuple[ActionReport, ...]
    steps: int  # of the plan
    goals_hold: bool  # where things lie and what was touched fulfils the task
    bodies: tuple[tuple[str, str], ...]  # robot -> which body played it, in words
    refused: str = ""  # why nothing was tried

    @property
    def failures(self) -> tuple[ActionReport, ...]:
        return tuple(action for action in self.actions if not action.done)

    @property
    def confirmed(self) -> bool:
        """Every step of the plan was done, and the goals hold."""
        return not self.refused and not self.failures and self.goals_hold

    @property
    def ticks(self) -> int:
        """Twentieths of a second: robots of one step move together, so each step lasts as long as its slowest."""
        return sum({one.step: one.ticks for one in sorted(self.actions, key=lambda one: one.ticks)}.values())

    def __str__(self) -> str:
        if self.refused:
            return f"Not carried out: {self.refused}"
        if self.failures:
            return " ".join(f"{failure}." for failure in self.failures)
        end = "the goals hold" if self.goals_hold else "but the goals do not hold"
        return f"All {self.steps} steps were carried out in {self.ticks / HERTZ:.0f} simulated seconds, {end}."

    def to_dict(self) -> dict[str, Any]:
        actions = [{**asdict(one), "action": list(one.action)} for one in self.actions]
        more = {"confirmed": self.confirmed, "ticks": self.ticks, "bodies": dict(self.bodies), "actions": actions}
        return asdict(self) | more


def execute(
    task: int | KitchenTask | Mapping[str, Any],
    plan: str | PlanSteps | None = None,
    engine: Engine = "physics",
    watch: Callable[[np.ndarray], object] | None = None,
    size: int = 512,
    split: Any = "train",
) -> ExecutionReport:
    """`mmgames.embodied.execute`: the plan is followed up to the step that the world's rules forbid, if there is one.

    The same task and plan give the same report again.
    """
    if engine not in ENGINES:
        raise unknown("engine", engine, "execute", ENGINES)
    if isinstance(task, Mapping):
        task = KitchenTask.from_dict(task)
    elif not isinstance(task, KitchenTask):
        task = generate(task, split)
    if plan is None:
        plan = reference_plan(task)
    steps = read_steps(plan) if isinstance(plan, str) else plan
    wrong = steps if isinstance(steps, Feedback) else check(task, steps).feedback
    if isinstance(steps, Feedback) or (wrong and wrong.error in ("unreadable", "invalid_command", "unknown_entity")):
        raise MmgamesError(f"This plan cannot be carried out: {wrong.reason if wrong else ''}")
    named = {name for step in steps for robot, action in step.items() for name in (robot, *action[1:])}
    acting = [robot for robot in task.robots if robot.name in named]
    bodies = tuple((robot.name, BUILDS[robot.kind].words) for robot in acting)
    refused = refusal(task, steps, engine)
    if refused:
        return ExecutionReport(task.id, engine, (), len(steps), False, bodies, refused)
    filmed = None
    if watch is not None:
        from mmgames.embodied._execution.pictures import Film

        filmed = Film(named, watch, size).look
    kitchen = Kitchen(task, {robot.name for robot in acting}, engine, filmed)
    state, done = task.world.start.replace(), []
    for number, step in enumerate(steps, 1):
        if wrong is not None and wrong.step == number:
            robot = wrong.robot or next(iter(step), "nobody")
            done.append(ActionReport(number, robot, tuple(step.get(robot, ("wait",))), False, wrong.reason))
            break
        joint = task.world.joint(encode_step(task.world, step))
        compiled_in_background(kernel.carry_out)(state.array, task.world.kitchen.array, joint)
        found = _looked_at(kitchen, state, _take_step(kitchen, number, step))
        done += found
        if not all(action.done for action in found):
            break
    missing = np.zeros(len(task.world.wanted), np.int8)
    compiled_in_background(kernel.unmet)(_as_it_is(kitchen, state).array, task.world.kitchen.array, missing)
    goals = not missing[task.world.predicates["chain"] < 0].any()
    return ExecutionReport(task.id, engine, tuple(done), len(steps), goals, bodies)


def refusal(task: KitchenTask, plan: PlanSteps, engine: Engine = "physics") -> str:
    """Why a plan is not tried at all; empty where every action has a skill and every robot a body."""
    robots = {robot.name: robot for robot in task.robots}
    acting = (robots[name] for step in plan for name in step if name in robots)
    one = next((robot for robot in acting if engine == "physics" and not BUILDS[robot.kind].file), None)
    told = '{} is a {}, and no body in physics can stand in for a {}; engine="kinematic" has one.'
    return told.format(one.name, one.type, one.kind) if one else ""


def _take_step(kitchen: Kitchen, number: int, step: Mapping[str, Sequence[str]]) -> list[ActionReport]:
    # Who is handed something has it before it does anything else.
    given = {action[2] for action in step.values() if action[0].lower() == "handover"}
    running, waiting = (
        {name: _skill(kitchen, name, action) for name, action in step.items() if (name in given) == last}
        for last in (False, True)
    )
    reports: dict[str, ActionReport] = {}
    begun = kitchen.ticks
    while running:
        for name in list(running):
            reason = ""
            try:
                next(running[name])
                if kitchen.ticks - begun < LONGEST:
                    continue
                reason = "it took too long"
            except StopIteration:
                pass
            except SkillFailed as failed:
                reason = str(failed)
            del running[name]
            kitchen.traffic.busy.discard(name)
            ticks = kitchen.ticks - begun
            reports[name] = ActionReport(number, name, tuple(step[name]), not reason, reason, ticks)
        if not running:
            running, waiting = waiting, {}
        kitchen.tick()
    return [reports[name] for name in step]


def _skill(kitchen: Kitchen, robot: str, action: Sequence[str]) -> Skill:
    verb, names = action[0].lower(), list(action[1:])
    skill: Skill = getattr(Worker(kitchen, robot), verb)(*(reversed(names) if verb == "place" else names))
    return skill


def _looked_at(kitchen: Kitchen, state: RecordState, found: list[ActionReport]) -> list[ActionReport]:
    """The same reports, with failures where a thing is not where the plan has it after this step."""
    for asset, node in zip(kitchen.task.assets, state.at, strict=False):
        wanted, is_at = kitchen.task.world.names[node], kitchen.where(asset.name)
        if wanted == is_at or not all(action.done for action in found):
            continue
        culprit = next((i for i, one in enumerate(found) if asset.name in one.action or one.robot == wanted), 0)
        fell = "has fallen" if is_at == ON_FLOOR else f"is at {is_at}"
        found[culprit] = replace(found[culprit], done=False, reason=f"{asset.name} {fell} and not at {wanted}")
    return found


def _as_it_is(kitchen: Kitchen, state: RecordState) -> RecordState:
    """A state with things where they really are; what has fallen is nowhere."""
    task, found = kitchen.task, state.replace()
    at, opened, active = (found.record[part] for part in ("at", "opened", "active"))
    for thing, asset in enumerate(task.assets):
        at[thing] = task.world.nodes.get(kitchen.where(asset.name), -1)
        active[thing] = asset.name in kitchen.touched
        if asset.name in kitchen.cupboards:
            opened[thing] = kitchen.cupboards[asset.name].is_open
    return found
