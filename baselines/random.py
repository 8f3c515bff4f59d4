"""Plays any legal action with equal probability; in games of words or numbers, whatever the rules draw."""

from __future__ import annotations

from typing import Any

from mmgames.core.turn import Turn


class Random:
    def act(self, turn: Turn) -> Any:
        return turn.sample()

    def probabilities(self, turn: Turn) -> dict[Any, float]:
        return {action: 1 / len(turn.legal) for action in turn.legal}
