"""A kernel game that hides its kernel, so that the searches have to work on the Game contract."""

from __future__ import annotations

from typing import Any

from mmgames.core import registry
from mmgames.core.game import Game


class WithoutKernel(Game):
    def __init__(self, game: Game) -> None:
        super().__init__(game.spec, **game.options)
        for method in ("start", "movers", "legal", "play", "returns", "view", "chance", "imagine"):
            setattr(self, method, getattr(game, method))


def without_kernel(id: str) -> Any:
    return WithoutKernel(registry.load(id).game())
