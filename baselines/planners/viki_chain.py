"""Reference agents for the three questions in a row."""

from __future__ import annotations

from typing import Any

from mmgames.agents.base import Agent
from mmgames.baselines.planners.viki_answers import activate_by_rules, numbered_steps, straight_lines, tagged
from mmgames.core.turn import Turn
from mmgames.embodied._world.generator import reference_plan
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied.viki_chain.rules import ChainState, trace_of


class _Answers(Agent):
    def act(self, turn: Turn) -> str:
        state: ChainState = turn.imagine()
        stage = len(state.results)
        ways = (self.activate, self.plan, self.trace)
        return tagged(ways[stage](state))

    def activate(self, state: ChainState) -> Any:
        raise NotImplementedError

    def plan(self, state: ChainState) -> Any:
        raise NotImplementedError

    def trace(self, state: ChainState) -> Any:
        raise NotImplementedError


class Oracle(_Answers):
    """Plans shortest, and knows who is to act and which way."""

    def activate(self, state: ChainState) -> Any:
        return sorted({robot.type for robot in state.task.team})

    def plan(self, state: ChainState) -> Any:
        return numbered_steps(reference_plan(state.task))

    def trace(self, state: ChainState) -> Any:
        return trace_of(state).paths


class Heuristic(_Answers):
    """Activates by rules, plans greedily and draws straight lines."""

    def activate(self, state: ChainState) -> Any:
        return activate_by_rules(state.task)

    def plan(self, state: ChainState) -> Any:
        return numbered_steps(greedy_plan(state.task) or [])

    def trace(self, state: ChainState) -> Any:
        return straight_lines(state.task, *trace_of(state).robots)


class Guesser(Agent):
    """Answers at random in the right form."""

    def act(self, turn: Turn) -> str:
        return turn.sample()
