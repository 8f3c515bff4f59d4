"""Plays any legal action with equal probability; in a talking game, one of the executable names."""

from __future__ import annotations

from typing import Any

from mmgames.core.agents import Turn


class Random:
    def act(self, turn: Turn) -> Any:
        legal = turn.legal
        if not legal:
            return ""  # a seat that can only speak stays silent
        return legal[int(turn.rng.random() * len(legal))]

    def probabilities(self, turn: Turn) -> dict[Any, float]:
        return {action: 1 / len(turn.legal) for action in turn.legal}
