"""Minimax with alpha-beta cuts for any game of two seats that move in turn, hide nothing and win what the other loses.

It works on the Game contract alone. Without a depth it searches to the end of the game and plays perfectly. With one
it stops that many moves ahead and asks `game.evaluate(state, seat)`, where a game has that; otherwise it takes the
points so far, which are 0 in games that pay at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from mmgames.core.agents import Turn
from mmgames.core.errors import MmgamesError
from mmgames.core.game import Action, Game

# A result counts a millionth less for every move it is away: wins are taken soon and losses put off, and results
# that differ are never confused. Values closer than SAME are equal.
PATIENCE = 1 - 1e-6
SAME = 1e-9
MEMO_SIZE = 400_000

Memo = dict[tuple[Any, int | None], tuple[float, float]]
"""(position, moves to look ahead) -> bounds of its value to the first seat."""


@lru_cache(maxsize=16)
def _memo(id: str, options: tuple[tuple[str, Any], ...]) -> Memo:
    """What is known about one game with its options settled; all agents of this process share it."""
    return {}


class Minimax:
    """Plays the best move; among equally good ones any, with equal probability."""

    def __init__(self, depth: int | None = None) -> None:
        whole = isinstance(depth, (int, np.integer)) and not isinstance(depth, bool)
        if depth is not None and not (whole and depth >= 1):
            raise MmgamesError(f"depth={depth!r} is not possible: give a whole number from 1, or None for all moves.")
        self.depth = None if depth is None else int(depth)

    def act(self, turn: Turn) -> Action:
        best = self.best(turn.game, turn.imagine())
        return best[int(turn.rng.random() * len(best))]

    def best(self, game: Game, state: Any) -> list[Action]:
        """All equally good moves of the seat that is to move."""
        return _Search(game).best(state, self.depth)


class _Search:
    def __init__(self, game: Game) -> None:
        spec = game.spec
        facts = (spec.dynamics, spec.information, spec.utility, spec.chance, len(game.seats))
        if facts != ("sequential", "perfect", "zero_sum", "none", 2):
            raise MmgamesError(
                f"Minimax cannot play {spec.id}: it needs two seats that move in turn, nothing hidden, no chance and "
                "a zero sum."
            )
        self.game = game
        self.memo = _memo(spec.id, tuple(sorted(game.options.items())))
        self.evaluate: Callable[[Any, int], float] = getattr(game, "evaluate", lambda state, _: game.returns(state)[0])
        self._no_chance = np.random.default_rng(0)

    def best(self, state: Any, depth: int | None) -> list[Action]:
        (mover,) = self.game.movers(state)
        sign = -1 if mover else 1
        if len(self.memo) > MEMO_SIZE:
            self.memo.clear()
        best, chosen = -inf, []
        for action in self.game.legal(state, mover):
            # The window stays open just below the best, so that an equal move is recognised.
            low = best - SAME
            child = self._after(state, mover, action)
            value = sign * self._value(child, depth and depth - 1, *((low, inf) if sign > 0 else (-inf, -low)))
            if value > best + SAME:
                best, chosen = value, [action]
            elif value > low:
                chosen.append(action)
        return chosen

    def _value(self, state: Any, depth: int | None, low: float, high: float) -> float:
        """The value to the first seat if it lies between `low` and `high`, else a bound on the same side."""
        game = self.game
        movers = game.movers(state)
        if not movers:
            return game.returns(state)[0]
        if depth == 0:
            return self.evaluate(state, 0)
        key = (game.view(state, None), depth)
        floor, ceiling = self.memo.get(key, (-inf, inf))
        if floor == ceiling or floor >= high:
            return floor
        if ceiling <= low:
            return ceiling
        mover = movers[0]
        best, alpha, beta = (inf if mover else -inf), low, high
        for action in game.legal(state, mover):
            child = self._after(state, mover, action)
            value = PATIENCE * self._value(child, depth and depth - 1, alpha / PATIENCE, beta / PATIENCE)
            if mover:
                best = min(best, value)
                beta = min(beta, best)
            else:
                best = max(best, value)
                alpha = max(alpha, best)
            if alpha >= beta:
                break
        self.memo[key] = (best if best > low else floor, best if best < high else ceiling)
        return best

    def _after(self, state: Any, mover: int, action: Action) -> Any:
        return self.game.play(state, {mover: action}, self._no_chance)
