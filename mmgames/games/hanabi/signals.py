"""What tells how lucky a position of Hanabi is, from the cards that have been dealt."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mmgames.games.hanabi.known import COPIES
from mmgames.games.hanabi.views import NOTHING


def signals(game: Any, agents: Sequence[Any]) -> Callable[[Any], list[float]]:
    """Points, lives and hints; how many cards in all hands fit now, or next, or never; what can still be built."""
    copies = COPIES[game.ranks][: game.ranks]

    def of(state: Any) -> list[float]:
        fields = state.array[0]
        gone = fields["discards"] >= copies
        reach = np.where(gone.any(axis=1), gone.argmax(axis=1), game.ranks)
        kinds = fields["deck"][fields["hands"][fields["hands"] != NOTHING]]
        above = kinds % game.ranks - fields["fireworks"][kinds // game.ranks]  # 0 fits now
        dead = (above < 0) | (kinds % game.ranks >= reach[kinds // game.ranks])
        fits = len(set(kinds[(above == 0) & ~dead].tolist()))
        soon = len(set(kinds[(above == 1) & ~dead].tolist()))
        left = 1 - state.dealt / (2 * game.colours * game.ranks)
        counts = float(state.points), float(state.lives), float(state.hints), float(reach.sum())
        return [*counts, fits, soon, float(dead.sum()), left * fits, left * float(dead.sum())]

    return of
