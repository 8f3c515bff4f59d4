"""Games for the tests of searches: a position after some moves, and a kernel game that hides its kernel."""

from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.game import Game


def after(game: Any, *actions: int) -> Any:
    """The state after these moves of whoever is to move; what chance does is always the same."""
    rng = np.random.default_rng(0)
    state = game.start(rng)
    for action in actions:
        state = game.play(state, {game.movers(state)[0]: action}, rng)
    return state


class WithoutKernel(Game):
    """So that the searches have to work on the Game contract."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.spec, **game.options)
        for method in ("start", "movers", "legal", "play", "returns", "view", "chance", "imagine"):
            setattr(self, method, getattr(game, method))


def without_kernel(id: str) -> Any:
    return WithoutKernel(registry.load(id).game())
