"""An agent that plays on for somebody who is away."""

from typing import Any

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn


class Deputy:
    def __init__(self, name: str, agent: Agent) -> None:
        self.name, self.agent = name, agent
        self._begun = False

    def act(self, turn: Turn) -> Any:
        if not self._begun:
            self.agent.begin(turn.game, turn.seat)
            self._begun = True
        return self.agent.act(turn)
