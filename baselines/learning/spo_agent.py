"""A player of Spy that Iterative-SPO has trained: `mmgames train spo Spy`. PyTorch is imported when it plays."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.errors import needs_extra
from mmgames.games.spy.rules import SpyView


def shipped() -> Path:
    """The checkpoint that comes with mmgames."""
    return Path(str(resources.files("mmgames.assets") / "spo" / "Spy-v0.npz"))


class Trained(Agent):
    """Tells of objects as its eye sees them and votes for whoever contradicts it.

    `path` is its checkpoint, or else it plays the one that comes with mmgames (assets/spo says how that was made).
    `greedy` makes it take its best choice instead of drawing one.
    """

    def __init__(self, path: str = "", greedy: bool = False) -> None:
        self.path, self.greedy = str(path), bool(greedy)
        self._policy: Any = None

    def fresh(self) -> Trained:
        return Trained(self.path, self.greedy)

    def describe(self) -> dict[str, Any]:
        return {"checkpoint": self.path or "shipped", "greedy": self.greedy}

    def act(self, turn: Turn) -> str:
        policy = self._policy = self._policy or self._load()
        view: SpyView = turn.view
        return policy.say(view, None if self.greedy else turn.rng.random())

    def _load(self) -> Any:
        with needs_extra("The agent 'spo'", "train"):
            from mmgames.baselines.learning import spy_policy
        return spy_policy.load(self.path or shipped())
