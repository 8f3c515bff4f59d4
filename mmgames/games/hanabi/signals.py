"""What tells how lucky a position of Hanabi is, from the cards that have been dealt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mmgames.games.hanabi import kernel as k


def signals(game: Any, agents: Sequence[Any]) -> Callable[[Any], list[float]]:
    """Points, lives and hints; how many cards in all hands fit now, or next, or never; what can still be built."""
    copies = k.COPIES[game.ranks]
    size = len(game.seats) * k.MOST_HAND

    def of(state: Any) -> list[float]:
        row = state.row
        fireworks = row[k.FIREWORKS : k.FIREWORKS + game.colours]
        discards = row[k.DISCARDS : k.DISCARDS + game.colours * game.ranks].reshape(game.colours, game.ranks)
        gone = discards >= copies[: game.ranks]
        reach = np.where(gone.any(axis=1), gone.argmax(axis=1), game.ranks)
        held = row[k.HANDS : k.HANDS + size]
        kinds = row[k.DECK + held[held != k.NOTHING]]
        above = kinds % game.ranks - fireworks[kinds // game.ranks]  # 0 fits now
        dead = (above < 0) | (kinds % game.ranks >= reach[kinds // game.ranks])
        fits = len(set(kinds[(above == 0) & ~dead].tolist()))
        soon = len(set(kinds[(above == 1) & ~dead].tolist()))
        left = 1 - row[k.DEALT] / (2 * game.colours * game.ranks)
        told = float(row[k.POINTS]), float(row[k.LIVES]), float(row[k.HINTS]), float(reach.sum())
        return [*told, fits, soon, float(dead.sum()), left * fits, left * float(dead.sum())]

    return of
