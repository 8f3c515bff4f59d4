"""Reference agents for the three questions in a row."""

from __future__ import annotations

import json
from typing import Any

from mmgames.baselines.viki_answers import activate_by_rules, straight_lines
from mmgames.core.turn import Turn
from mmgames.embodied._world.generator import reference_plan
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import Task
from mmgames.embodied.viki_chain.rules import ChainState, trace_of


class _Answers:
    def act(self, turn: Turn) -> str:
        state: ChainState = turn.imagine()
        stage = len(state.results)
        ways = (self.activate, self.plan, self.trace)
        return f"<think></think><answer>{json.dumps(ways[stage](state.task))}</answer>"

    def activate(self, task: Task) -> Any:
        raise NotImplementedError

    def plan(self, task: Task) -> Any:
        raise NotImplementedError

    def trace(self, task: Task) -> Any:
        raise NotImplementedError


class Oracle(_Answers):
    """Plans shortest, and knows who is to act and which way."""

    def activate(self, task: Task) -> Any:
        return sorted({robot.type for robot in task.team})

    def plan(self, task: Task) -> Any:
        return _steps(reference_plan(task))

    def trace(self, task: Task) -> Any:
        return trace_of(task).paths


class Heuristic(_Answers):
    """Activates by rules, plans greedily and draws straight lines."""

    def activate(self, task: Task) -> Any:
        return activate_by_rules(task)

    def plan(self, task: Task) -> Any:
        return _steps(greedy_plan(task) or [])

    def trace(self, task: Task) -> Any:
        return straight_lines(task)


class Guesser:
    """Answers at random in the right form."""

    def act(self, turn: Turn) -> str:
        return turn.sample()


def _steps(plan: Plan) -> list[dict[str, Any]]:
    return [{"step": number, "actions": actions} for number, actions in enumerate(plan, 1)]
