"""Minimax with alpha-beta cuts for any game of two seats that move in turn, hide nothing and win what the other loses.

In a game whose rules are a kernel (kernels/kernel_game.py) the search is a kernel too; the game's `evaluate` judges the
positions where it stops and its `candidates`, where it has them, say which moves to look at. Otherwise the search works
on the Game contract and asks `game.evaluate(state, seat)`, where a game has that, or takes the points so far, which are
0 in games that pay at the end.

Moves are equally good when their values differ by less than SAME. The search keeps its window at the root open just
below the best value so far, without an upper end: a move's value is exact whenever it is as good as the best, and cut
short only when it is certainly worse. So the moves to choose from are those that full minimax would give.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from math import inf
from typing import Any

import numpy as np
from numba import int64

from mmgames.agents.base import Agent
from mmgames.core.game import Action, Game
from mmgames.core.seeding import draw_from
from mmgames.core.spec import GameSpec
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import Entry
from mmgames.kernels.kernel import kernel, new_states
from mmgames.kernels.kernel_game import NOBODY, Kernel, kernel_of

# A result counts a millionth less for every move it is away: wins are taken soon and losses put off, and results
# that differ are never confused. Values closer than SAME are equal.
PATIENCE = 1 - 1e-6
SAME = 1e-9
MEMO_SIZE = 400_000
SHALLOW = 2

Memo = dict[tuple[Any, int | None], tuple[float, float]]
"""(position, moves to look ahead) -> bounds of its value to the first seat."""


@lru_cache(maxsize=16)
def _memo(id: str, options: tuple[tuple[str, Any], ...]) -> Memo:
    """What is known about one game with its options settled; all agents of this process share it."""
    return {}


class Minimax(Agent):
    """Plays the best move; among equally good ones any, with equal probability.

    `depth` is how many moves it looks ahead. Without one it looks as far as the game's kernel says (5 moves in
    Breakthrough), or to the end of the game, and then it plays perfectly.
    """

    draw_rule = "takes a draw unless it sees itself ahead"

    def __init__(self, depth: int | None = None) -> None:
        whole = isinstance(depth, (int, np.integer)) and not isinstance(depth, bool)
        if depth is not None and not (whole and depth >= 1):
            raise MmgamesError(f"depth={depth!r} is not possible: give a whole number from 1, or None for all moves.")
        self.depth = None if depth is None else int(depth)

    def act(self, turn: Turn) -> Action:
        best = self.best(turn.game, turn.imagine())
        return draw_from(best, turn.rng)

    def choices(self, turn: Turn) -> list[Action]:
        return self.best(turn.game, turn.imagine())

    def takes_draw(self, turn: Turn) -> bool:
        game, state = turn.game, turn.imagine()
        (mover,) = game.movers(state)
        value = self.value(game, state)
        return (value if mover == turn.seat else -value) <= SAME

    def kernel(self, game: Game) -> Kernel | None:
        """The compiled rules to search with; None: the game has none, or a judge of its own."""
        return None if hasattr(game, "evaluate") else kernel_of(game)

    def best(self, game: Game, state: Any) -> list[Action]:
        """All equally good moves of the seat that is to move."""
        self._check(game.spec)
        rules = self.kernel(game)
        if rules is None:
            return _Search(game).best(state, self.depth or game.search_depth)
        return list(_best_from(*self._searched(game, rules, state)))

    def value(self, game: Game, state: Any) -> float:
        """What the position is worth to the seat that is to move, as far as it looks ahead."""
        self._check(game.spec)
        rules = self.kernel(game)
        if rules is None:
            value = _Search(game)._value(state, self.depth or game.search_depth, -inf, inf)
            return -value if game.movers(state)[0] else value
        return float(_values_from(*self._searched(game, rules, state))[1].max())

    def _searched(self, game: Game, rules: Kernel, state: Any) -> tuple[Kernel, Any, int]:
        """What a kernel searches: the rules, the position, and how far."""
        return rules, state, min(self.depth or rules.depth or game.spec.length, game.spec.length)

    def _check(self, spec: GameSpec) -> None:
        facts = (spec.dynamics, spec.information, spec.utility, spec.chance, len(spec.seats))
        if facts != ("sequential", "perfect", "zero_sum", "none", 2):
            raise MmgamesError(
                f"Minimax cannot play {spec.id}: it needs two seats that move in turn, nothing hidden, no chance and "
                "a zero sum."
            )


@lru_cache(maxsize=10_000)
def _best_from(rules: Kernel, position: Any, depth: int) -> tuple[Action, ...]:
    """All equally good moves in the order of their numbers; games often begin alike, so answers are kept."""
    actions, values = _values_from(rules, position, depth)
    return tuple(sorted(actions[values > values.max() - SAME].tolist()))


def _values_from(rules: Kernel, position: Any, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """The legal actions and their values to the mover, as `root_values` finds them."""
    kernels = rules.turn, rules.candidates or rules.moves, rules.step, rules.returns, rules.evaluate
    search = _search_of(rules.state_type, *kernels)
    found: tuple[np.ndarray, np.ndarray] = (search if depth <= SHALLOW else search.compiled())(
        position.array, rules.moves_capacity, depth
    )
    return found


@cache
def _search_of(state_type: Any, *kernels: Any) -> Entry:
    """The search for these kernels; one of few positions need not wait for the compiler."""
    return Entry(root_values, kernels, (state_type, int64, int64))


@kernel
def root_values(turn, moves, step, returns, evaluate, states, most_moves, depth):
    """The legal actions and their values to the mover: exact for the best ones, upper bounds for the others.

    A loop with a stack: a kernel that calls itself and gets kernels as arguments crashes when Numba loads it from disk.
    """
    stack = new_states(states, depth + 1)
    stack[0] = states[0]
    legal = np.empty((depth, most_moves), np.int64)
    count = np.zeros(depth, np.int64)
    tried = np.zeros(depth, np.int64)
    best = np.full(depth, -np.inf)  # of the moves tried so far, to the mover
    low, high = np.full(depth, -np.inf), np.full(depth, np.inf)  # what matters lies between these
    cutting = np.full((depth, 2), -1, np.int64)  # by ply: the last two moves after which nothing else mattered
    actions, totals = np.zeros(2, np.int64), np.zeros(2)
    count[0] = moves(stack[0], turn(stack[0]), legal[0])
    values = np.empty(count[0])
    ply = 0
    while True:
        if tried[ply] == count[ply] or low[ply] >= high[ply]:
            if ply == 0:
                return legal[0, : count[0]].copy(), values
            move = legal[ply, tried[ply] - 1]
            if low[ply] >= high[ply] and move != cutting[ply, 0]:
                cutting[ply, 1] = cutting[ply, 0]
                cutting[ply, 0] = move
            value = best[ply] * PATIENCE
            ply -= 1
            if turn(stack[ply + 1]) != turn(stack[ply]):
                value = -value
        else:
            stack[ply + 1] = stack[ply]
            before, after = stack[ply], stack[ply + 1]
            mover = turn(before)
            sign = 1 - 2 * mover
            actions[mover] = legal[ply, tried[ply]]
            step(after, actions, np.uint64(0))
            tried[ply] += 1
            following = turn(after)
            if following != NOBODY and ply + 1 < depth:
                floor, ceiling = low[ply] / PATIENCE, high[ply] / PATIENCE
                ply += 1
                low[ply], high[ply] = (-ceiling, -floor) if following != mover else (floor, ceiling)
                best[ply] = -np.inf
                tried[ply] = 0
                count[ply] = moves(after, following, legal[ply])
                put_first(legal[ply], count[ply], cutting[ply])
                continue
            if following == NOBODY:
                returns(after, totals)
                value = sign * totals[0]
            else:
                value = sign * evaluate(after)
        best[ply] = max(best[ply], value)
        if ply == 0:
            values[tried[0] - 1] = value
            low[0] = best[0] - SAME
        else:
            low[ply] = max(low[ply], best[ply])


@kernel
def put_first(legal, count, wanted):
    """Bring the wanted moves to the front, if they are among the legal ones; the others keep their order."""
    first = 0
    for move in wanted:
        for place in range(first, count):
            if legal[place] == move:
                for later in range(place, first, -1):
                    legal[later] = legal[later - 1]
                legal[first] = move
                first += 1
                break


class _Search:
    """The same search on the Game contract, with a memory of positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.memo = _memo(game.spec.id, tuple(sorted(game.options.items())))
        self.evaluate: Callable[[Any, int], float] = getattr(game, "evaluate", lambda state, _: game.returns(state)[0])
        self._no_chance = np.random.default_rng(0)

    def best(self, state: Any, depth: int | None) -> list[Action]:
        (mover,) = self.game.movers(state)
        sign = -1 if mover else 1
        if len(self.memo) > MEMO_SIZE:
            self.memo.clear()
        best, chosen = -inf, []
        for action in self.game.legal(state, mover):
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
