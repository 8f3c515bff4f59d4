"""Plays any legal action with equal probability; in games of words or numbers, whatever the rules draw."""

from typing import Any, ClassVar

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn


class Random(Agent):
    policy: ClassVar[None] = None
    """In batches too: any legal action."""

    def act(self, turn: Turn) -> Any:
        return turn.sample()

    def probabilities(self, turn: Turn) -> dict[Any, float]:
        return {action: 1 / len(turn.legal) for action in turn.legal}
