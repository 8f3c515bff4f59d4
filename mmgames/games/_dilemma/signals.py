"""What tells how lucky a position of a grid dilemma is: points so far, and how near everything is to everybody."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def signals(game: Any, agents: Sequence[Any]) -> Callable[[Any], np.ndarray]:
    """What everybody has; the steps from every player to every thing, to the nearest one and to the nearest player; and
    who is nearer to a thing than all others."""
    side = game.setup.side
    cells = np.arange(side * side)
    apart = abs(cells[:, None] % side - cells % side) + abs(cells[:, None] // side - cells // side)

    def of(state: Any) -> np.ndarray:
        steps = apart[list(state.at)][:, list(state.things)]
        nearest = steps.min(axis=0)
        ahead = (steps == nearest) & ((steps == nearest).sum(axis=0) == 1)
        return np.concatenate((state.points, steps.ravel(), nearest, steps.min(axis=1), ahead.ravel()))

    return of
