"""VikiChain: activation, plan and paths about one task, each scored when it is answered, as its task scores it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from mmgames import tasks
from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec, Simulator
from mmgames.embodied._execution.executor import execute, refusal
from mmgames.embodied._questions.activate import Activate
from mmgames.embodied._questions.kitchen import ACCURACY_SHARE, FORMAT_SHARE, KitchenSource
from mmgames.embodied._questions.plan import Plan
from mmgames.embodied._questions.trace import Trace, asked
from mmgames.embodied._scenes import scenes, traces
from mmgames.embodied._world import Feedback, generator, teams
from mmgames.embodied._world.plans import read_steps
from mmgames.embodied._world.task import KitchenTask
from mmgames.tasks.questions import Question, Style
from mmgames.text.refusals import Illegal

ACTIVATE, PLAN, TRACE, OVER = range(4)
STAGES = ("activation", "plan", "paths")
SOURCES: tuple[type[KitchenSource], ...] = (Activate, Plan, Trace)
STYLE = Style(drawn=False, size=512)
"""Paths are given in pixels of a picture of this width, the usual one."""


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
    execution: Result | None = None  # what the plan came to when it was carried out, where that is asked for

    @property
    def stage(self) -> int:
        return len(self.results)


class ChainView(NamedTuple):
    """What the solver may know: the state with a task that does not tell who is to act and how long it should take."""

    seat: Seat | None
    state: ChainState
    labels: bool = True
    engine: str = "none"
    asked: str = ""  # what is asked, once it is about paths
    sight: traces.Sight | None = None  # what the picture of that shows


class VikiChain(Game[ChainState, ChainView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.scene = self.options["scene"]
        scenes.check(self.scene, spec.id)
        self.engine = self.options["engine"]
        if self.engine == "physics":
            scenes.check("maniskill", spec.id)
        self.settle(simulator=Simulator(slow_picture=self.scene != "drawn"))

    def start(self, rng: np.random.Generator) -> ChainState:
        while True:
            task = generator.generate(int(rng.integers(2**31)), self.options["split"])
            if not teams.only_best(task) or not self.source(TRACE).suits(task):
                continue
            if self.engine == "none" or not refusal(task, generator.reference_plan(task), self.engine):
                return ChainState(task, scene=self.scene)

    def source(self, stage: int) -> KitchenSource:
        """What asks and scores the question of a stage."""
        name = f"VikiKitchen-{SOURCES[stage].__name__}"
        chosen = {name: self.options[name] for name in ("split", "scene", "labels")}
        made: Any = SOURCES[stage]
        return made(tasks.find(name), STYLE, rules="optimal" if stage == PLAN else "paper", **chosen)

    def question(self, state: ChainState, stage: int) -> tuple[KitchenSource, Question]:
        source = self.source(stage)
        source.task = state.task
        return source, source.about(state.task)

    def movers(self, state: ChainState) -> tuple[Seat, ...]:
        return (0,) if state.stage < OVER else ()

    def legal(self, state: ChainState, seat: Seat) -> Sequence[str]:
        return ()

    def sample(self, state: ChainState, seat: Seat, rng: np.random.Generator) -> str:
        """An answer of the right form, at random."""
        source, question = self.question(state, state.stage)
        return source.guess(question, rng)

    def play(self, state: ChainState, actions: Mapping[Seat, ChainMove], rng: np.random.Generator) -> ChainState:
        move, stage, types = actions[0], state.stage, state.types
        source, question = self.question(state, stage)
        judged = source.judge(question, move.answer)
        if isinstance(judged, Illegal):
            accuracy, said, remark = 0.0, None, judged.reason
        else:
            accuracy, said, told = judged
            remark = str((told.get("feedback") and Feedback(**told["feedback"])) or "")
        if stage == ACTIVATE:
            types = tuple(said or ())
        elif stage == PLAN:
            idle = _not_activated(state.task, types, move.answer) if accuracy else ""
            accuracy, remark = (0.0, f"{idle} was not activated.") if idle else (accuracy, remark)
            if self.engine != "none":
                state = state._replace(execution=self._carried_out(state.task, move.answer, accuracy == 1.0))
        return state._replace(types=types, results=(*state.results, Result(move.formatted, accuracy, remark)))

    def _carried_out(self, task: KitchenTask, answer: str, right: bool) -> Result:
        """A plan that is right, carried out; all of the score is for whether it is confirmed."""
        if not right:
            return Result(False, 0.0, "The plan was not carried out.")
        steps = read_steps(answer)
        assert not isinstance(steps, Feedback)
        report = execute(task, steps, self.engine)
        return Result(report.confirmed, float(report.confirmed), str(report))

    def returns(self, state: ChainState) -> tuple[float]:
        results = state.results if state.execution is None else (*state.results, state.execution)
        return (sum(result.score for result in results) / (len(STAGES) + (self.engine != "none")),)

    def view(self, state: ChainState, seat: Seat | None) -> ChainView:
        known = state._replace(task=state.task.with_(active=(), reference_length=0, optimum=0))
        told = seat, known, self.options["labels"], self.engine
        if state.stage < TRACE:
            return ChainView(*told)
        found = Trace.trace(state.task, cast(scenes.SceneName, state.scene))
        return ChainView(*told, asked(state.task, found, STYLE.size), found.sight)

    def events(self, state: ChainState) -> Mapping[str, int]:
        right = {f"{name} right": int(r.accuracy == 1.0) for name, r in zip(STAGES, state.results, strict=False)}
        if state.execution is not None:
            right[f"{self.engine} right"] = int(state.execution.accuracy == 1.0)
        return right

    def record(self, state: ChainState) -> Mapping[str, Any]:
        return {
            "task": state.task.id,
            "accuracy": {name: r.accuracy for name, r in zip(STAGES, state.results, strict=False)},
        }


def _not_activated(task: KitchenTask, types: Sequence[str], answer: str) -> str:
    """A robot that acts in a plan that can be read, though its type was not named."""
    steps = read_steps(answer)
    acting = {name for step in steps for name in step} if not isinstance(steps, Feedback) else set()
    return next((robot.name for robot in task.robots if robot.name in acting and robot.type not in types), "")
