"""VikiChain: activation, plan and paths about one task, each scored when it is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec, Simulator
from mmgames.embodied._scenes import scenes, traces
from mmgames.embodied._world import Feedback, check_text, generator
from mmgames.embodied._world.names import TYPES, VERBS
from mmgames.embodied._world.paths import HEIGHT, WIDTH, distances, read_paths
from mmgames.embodied._world.plans import read_steps
from mmgames.embodied._world.task import KitchenTask

ACTIVATE, PLAN, TRACE, OVER = range(4)
STAGES = ("activation", "plan", "paths")
FORMAT_SHARE, ACCURACY_SHARE = 0.1, 0.9


class ChainMove(NamedTuple):
    """What was read from a reply: whether it keeps to the tags, and the text of the answer."""

    formatted: bool
    answer: str


class Result(NamedTuple):
    formatted: bool
    accuracy: float
    remark: str = ""

    @property
    def score(self) -> float:
        return FORMAT_SHARE * self.formatted + ACCURACY_SHARE * self.accuracy


class ChainState(NamedTuple):
    task: KitchenTask
    types: tuple[str, ...] = ()  # what was activated
    results: tuple[Result, ...] = ()
    scene: str = "drawn"
    execution: Result | None = None  # what the plan came to in physics, where that is asked for


class ChainView(NamedTuple):
    """What the solver may know: the task without who is to act and how long it should take."""

    seat: Seat | None
    task: KitchenTask
    stage: int
    types: tuple[str, ...]
    results: tuple[Result, ...]
    asked: tuple[str, ...] | None  # ego, partner and what they go for, once paths are asked for
    look_at: tuple[tuple[float, ...], ...] = ()
    ends: tuple[tuple[float, float], ...] = ()  # where what both go for is in the last picture
    scene: str = "drawn"
    labels: bool = True
    physics: bool = False
    execution: Result | None = None


class VikiChain(Game[ChainState, ChainView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.scene = self.options["scene"]
        scenes.check(self.scene, spec.id)
        if self.options["physics"]:
            scenes.check("maniskill", spec.id)
        self.settle(simulator=Simulator(slow_picture=self.scene != "drawn"))

    def start(self, rng: np.random.Generator) -> ChainState:
        while True:
            task = generator.generate(int(rng.integers(2**31)), self.options["split"])
            if len(task.team) >= 2 and not (self.options["physics"] and _refused(task)):
                return ChainState(task, scene=self.scene)

    def movers(self, state: ChainState) -> tuple[Seat, ...]:
        return (0,) if len(state.results) < OVER else ()

    def legal(self, state: ChainState, seat: Seat) -> Sequence[str]:
        return ()

    def sample(self, state: ChainState, seat: Seat, rng: np.random.Generator) -> str:
        """An answer of the right form, at random."""
        task, stage = state.task, len(state.results)
        value: Any
        if stage == ACTIVATE:
            value = [name for name in TYPES if rng.random() < 0.4]
        elif stage == PLAN:
            names = task.world.names
            value = [
                {
                    "step": number,
                    "actions": {
                        task.robots[int(rng.integers(len(task.robots)))].name: [
                            VERBS[int(rng.integers(7))].capitalize(),
                            names[int(rng.integers(len(names)))],
                        ]
                    },
                }
                for number in range(1, int(rng.integers(2, 6)))
            ]
        else:
            value = (rng.random((2, traces.POINTS, 2)) * (WIDTH, HEIGHT)).round(1).tolist()
        return f"<think></think><answer>{json.dumps(value)}</answer>"

    def play(self, state: ChainState, actions: Mapping[Seat, ChainMove], rng: np.random.Generator) -> ChainState:
        move = actions[0]
        stage = len(state.results)
        types = state.types
        if stage == ACTIVATE:
            types, accuracy, remark = _activated(state.task, move.answer)
        elif stage == PLAN:
            accuracy, remark = _planned(state.task, types, move.answer)
            if self.options["physics"]:
                state = state._replace(execution=_carried_out(state.task, move.answer, accuracy == 1.0))
        else:
            accuracy, remark = _traced(state, move.answer)
        return state._replace(types=types, results=(*state.results, Result(move.formatted, accuracy, remark)))

    def returns(self, state: ChainState) -> tuple[float]:
        results = state.results if state.execution is None else (*state.results, state.execution)
        return (sum(result.score for result in results) / (len(STAGES) + self.options["physics"]),)

    def view(self, state: ChainState, seat: Seat | None) -> ChainView:
        known = state.task.with_(active=(), reference_length=0, optimum=0)
        told = (seat, known, len(state.results), state.types, state.results)
        shown = (state.scene, self.options["labels"], self.options["physics"], state.execution)
        if len(state.results) < TRACE:
            return ChainView(*told, None, (), (), *shown)
        found = trace_of(state)
        return ChainView(*told, (*found.robots, *found.targets), found.look_at, found.ends, *shown)

    def events(self, state: ChainState) -> Mapping[str, int]:
        right = {f"{name} right": int(r.accuracy == 1.0) for name, r in zip(STAGES, state.results, strict=False)}
        if state.execution is not None:
            right["physics right"] = int(state.execution.accuracy == 1.0)
        return right

    def record(self, state: ChainState) -> Mapping[str, Any]:
        return {
            "task": state.task.id,
            "accuracy": {name: r.accuracy for name, r in zip(STAGES, state.results, strict=False)},
        }


def trace_of(state: ChainState) -> traces.RobotTrace:
    task = state.task
    first, second = task.team[:2]
    return traces.trace(task, generator.reference_plan(task), first.name, second.name, scene=state.scene)


def _activated(task: KitchenTask, answer: str) -> tuple[tuple[str, ...], float, str]:
    value = _value(answer)
    if not isinstance(value, list) or not all(isinstance(name, str) and name in TYPES for name in value):
        return (), 0.0, "This is not a JSON list of robot types."
    types = tuple(sorted(set(value)))
    right = types == tuple(sorted({robot.type for robot in task.team}))
    return types, float(right), ""


def _planned(task: KitchenTask, types: tuple[str, ...], answer: str) -> tuple[float, str]:
    verdict = check_text(task, answer, "optimal")
    if not verdict.solved:
        return 0.0, str(verdict.feedback)
    idle = [robot.name for robot in task.robots if robot.type not in types]
    value = _value(answer)
    used = {name for step in value for name in step["actions"]} if isinstance(value, list) else set()
    wrong = sorted(used & set(idle))
    return (0.0, f"{wrong[0]} was not activated.") if wrong else (1.0, "")


def _carried_out(task: KitchenTask, answer: str, right: bool) -> Result:
    """A plan that is right, in physics; all of the score is for whether it is confirmed."""
    if not right:
        return Result(False, 0.0, "The plan was not carried out.")
    from mmgames.embodied._execution.executor import execute

    steps = read_steps(answer)
    assert not isinstance(steps, Feedback)
    report = execute(task, steps)
    return Result(report.confirmed, float(report.confirmed), str(report))


def _refused(task: KitchenTask) -> bool:
    from mmgames.embodied._execution.executor import refusal

    return bool(refusal(task, generator.reference_plan(task)))


def _traced(state: ChainState, answer: str) -> tuple[float, str]:
    paths = read_paths(_value(answer), traces.POINTS, WIDTH, HEIGHT)
    if isinstance(paths, Feedback):
        return 0.0, str(paths)
    truth = trace_of(state).paths
    return float(np.mean([distances(path, right).accuracy for path, right in zip(paths, truth, strict=True)])), ""


def _value(answer: str) -> Any:
    text = answer.strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
