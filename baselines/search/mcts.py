"""Monte Carlo tree search (UCT) for any game whose seats move in turn, hide nothing and leave nothing to chance.

L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning (2006). A simulation walks down the tree, taking at each
position the move with the highest

    mean result to the mover + c · sqrt(ln(visits of the position) / visits of the move)

and moves without a visit first, in random order. The first position without a visit is judged by the mean of some
games played out at random. Results that are certain travel up as well: a move that ends the game is proven, a position
with a winning move or with all moves proven is proven too, and the search stops when its root is. A win counts 1.

In a kernel game (kernels/kernel_game.py) the whole search is one kernel too; elsewhere the same search
runs on the Game contract. Both draw the same random numbers in the same order, so they choose the same move wherever a
kernel lists its moves in the game's order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, uint64

from mmgames.agents.base import Agent
from mmgames.core.game import Action, Game, Seat
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.kernels.batch import GOLDEN
from mmgames.kernels.compiling import Entry, compiled_in_background
from mmgames.kernels.kernel import below, kernel, new_states, noise, scramble
from mmgames.kernels.kernel_game import NOBODY, Kernel, ask, kernel_of

UNPROVEN = 2
MOST_NODES = 50_000_000


class MCTS(Agent):
    """Plays a proven win or else the most visited move, avoiding proven losses while it can.

    `simulations` is how often the tree is walked for a move, `rollouts` how many random games judge a new position,
    `c` how much little-visited moves are preferred.
    """

    def __init__(self, simulations: int = 100, rollouts: int = 10, c: float = 2.0) -> None:
        for name, value in (("simulations", simulations), ("rollouts", rollouts)):
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if not (whole and value >= 1):
                raise MmgamesError(f"{name}={value!r} is not possible: give a whole number from 1.")
        if isinstance(c, (str, bool)) or not 0 <= c < inf:
            raise MmgamesError(f"c={c!r} is not possible: give a number from 0.")
        self.simulations = int(simulations)
        self.rollouts = int(rollouts)
        self.c = float(c)

    def act(self, turn: Turn) -> Action:
        found = self.search(turn.game, turn.imagine(), noise(turn.rng))
        return max(found, key=lambda move: (move.proven or 0.0, move.visits, move.mean)).action

    def search(self, game: Game, state: Any, noise: np.uint64) -> list[Candidate]:
        """What is known about each move after the search; `noise` settles all its chances."""
        _check(game)
        rules = kernel_of(game)
        if rules is not None and len(game.seats) == 2 and game.spec.utility == "zero_sum":
            return self._search_states(rules, state, noise)
        return _Search(game, self, noise).run(state)

    def _search_states(self, rules: Kernel, state: Any, noise: np.uint64) -> list[Candidate]:
        nodes = 1 + self.simulations * rules.moves_capacity
        if nodes > MOST_NODES:
            most = MOST_NODES // rules.moves_capacity
            raise MmgamesError(f"simulations={self.simulations} is too many: at most {most:,} fit in memory.")
        searched = _search_of(rules.state_type, rules.turn, rules.moves, rules.step, rules.returns).compiled()
        found = searched(state.array, rules.moves_capacity, self.simulations, self.rollouts, self.c, noise)
        action, visits, total, proven = found
        sign = -1 if ask(rules.turn, state) else 1
        return [
            Candidate(int(a), int(v), float(t / v) if v else 0.0, None if p == UNPROVEN else float(sign * p))
            for a, v, t, p in zip(action, visits, total, proven, strict=True)
        ]


class Candidate(NamedTuple):
    """A move, how often it was tried, its mean result to the mover, and its certain result if that is known."""

    action: Action
    visits: int
    mean: float
    proven: float | None


def _check(game: Game) -> None:
    spec = game.spec
    if (spec.dynamics, spec.information, spec.chance, spec.searchable) != ("sequential", "perfect", "none", True):
        raise MmgamesError(
            f"MCTS cannot play {spec.id}: it needs seats that move in turn, nothing hidden and no chance."
        )


@cache
def _search_of(state_type: Any, *kernels: Any) -> Entry:
    """The search for these kernels."""
    return Entry(search_states, kernels, (state_type, int64, int64, int64, float64, uint64))


# One long kernel on purpose: the tree is a handful of arrays, and passing them on for every step would cost time.
@kernel
def search_states(turn, moves, step, returns, states, most_moves, simulations, rollouts, c, noise):
    """The moves of the root: actions, visits, summed results to the mover and proven results to the first seat."""
    size = 1 + simulations * most_moves
    action = np.empty(size, np.int64)
    first = np.zeros(size, np.int64)  # the children of a node stand together, from here
    count = np.zeros(size, np.int64)
    visits = np.zeros(size, np.int64)
    visits[0] = 1  # the root needs no judgement
    total = np.zeros(size)  # to the seat that chose the move
    proven = np.full(size, float(UNPROVEN))  # to the first seat
    used = 1
    legal, actions, totals = np.empty(most_moves, np.int64), np.zeros(2, np.int64), np.zeros(2)
    path = np.empty(simulations + 1, np.int64)
    signs = np.ones(simulations + 1, np.int64)
    copies = new_states(states, 2)
    position, playout = copies[0], copies[1]
    for _ in range(simulations):
        copies[0] = states[0]
        path[0] = node = 0
        length = 1
        mover = turn(position)
        while mover != NOBODY and visits[node] > 0:
            sign = 1 - 2 * mover
            if count[node] == 0:
                n = moves(position, mover, legal)
                first[node], count[node] = used, n
                for i in range(n):  # shuffled, so that ties are broken at random
                    noise += GOLDEN
                    k = i + below(scramble(noise), n - i)
                    action[used] = legal[k]
                    legal[k] = legal[i]
                    used += 1
            best = -np.inf
            chosen = 0
            log_visits = math.log(visits[node])
            for child in range(first[node], first[node] + count[node]):
                if proven[child] != UNPROVEN:
                    value = sign * proven[child]
                elif visits[child] == 0:
                    value = np.inf
                else:
                    value = total[child] / visits[child] + c * math.sqrt(log_visits / visits[child])
                if value > best:
                    best, chosen = value, child
            actions[mover] = action[chosen]
            step(position, actions, np.uint64(0))
            mover = turn(position)
            node = chosen
            path[length], signs[length] = node, sign
            length += 1
        certain = mover == NOBODY
        if certain:
            returns(position, totals)
            proven[node] = result = totals[0]
        else:
            won = 0.0
            for _ in range(rollouts):
                copies[1] = position
                mover = turn(playout)
                while mover != NOBODY:
                    noise += GOLDEN
                    n = moves(playout, mover, legal)
                    actions[mover] = legal[below(scramble(noise), n)]
                    step(playout, actions, np.uint64(0))
                    mover = turn(playout)
                returns(playout, totals)
                won += totals[0]
            result = won / rollouts
        for level in range(length - 1, -1, -1):
            node = path[level]
            visits[node] += 1
            total[node] += signs[level] * result
            if certain and count[node]:
                sign = signs[level + 1]
                outcome = -np.inf
                complete = True
                for child in range(first[node], first[node] + count[node]):
                    if proven[child] == UNPROVEN:
                        complete = False
                    else:
                        outcome = max(outcome, sign * proven[child])
                certain = complete or outcome == 1
                if certain:
                    proven[node] = sign * outcome
        if proven[0] != UNPROVEN or count[0] == 1:
            break
    root = slice(first[0], first[0] + count[0])
    return action[root], visits[root], total[root], proven[root]


@dataclass(eq=False, slots=True)
class _Node:
    action: Action = None
    chooser: Seat = 0
    visits: int = 0
    total: float = 0.0  # to the chooser
    proven: list[float] | None = None  # returns of all seats
    children: list[_Node] = field(default_factory=list)


class _Search:
    """The same search on the Game contract; a result is the list of all seats' returns."""

    def __init__(self, game: Game, agent: MCTS, noise: np.uint64) -> None:
        self.game = game
        self.agent = agent
        self.noise = int(noise)
        self._no_chance = np.random.default_rng(0)

    def run(self, state: Any) -> list[Candidate]:
        root = _Node(visits=1)  # needs no judgement
        for _ in range(self.agent.simulations):
            self._simulate(root, state)
            if root.proven is not None or len(root.children) == 1:
                break
        return [
            Candidate(
                child.action,
                child.visits,
                child.total / child.visits if child.visits else 0.0,
                None if child.proven is None else child.proven[child.chooser],
            )
            for child in root.children
        ]

    def _simulate(self, root: _Node, state: Any) -> None:
        game, node = self.game, root
        path = [root]
        movers = game.movers(state)
        while movers and node.visits:
            node.children = node.children or self._expand(state, movers[0])
            node = self._select(node)
            state = self._after(state, movers[0], node.action)
            movers = game.movers(state)
            path.append(node)
        certain = not movers
        if certain:
            node.proven = list(game.returns(state))
        result = node.proven if certain else self._play_out(state)
        assert result is not None
        for node in reversed(path):
            node.visits += 1
            node.total += result[node.chooser]
            if certain and node.children:
                certain = self._prove(node)

    def _expand(self, state: Any, mover: Seat) -> list[_Node]:
        legal = list(self.game.legal(state, mover))
        for i in range(len(legal)):
            k = i + self._below(len(legal) - i)
            legal[i], legal[k] = legal[k], legal[i]
        return [_Node(action, mover) for action in legal]

    def _select(self, node: _Node) -> _Node:
        log_visits = math.log(node.visits)

        def value(child: _Node) -> float:
            if child.proven is not None:
                return child.proven[child.chooser]
            if not child.visits:
                return inf
            return child.total / child.visits + self.agent.c * math.sqrt(log_visits / child.visits)

        return max(node.children, key=value)

    def _play_out(self, state: Any) -> list[float]:
        """The mean returns of some games that go on at random."""
        game = self.game
        sums = [0.0] * len(game.seats)
        for _ in range(self.agent.rollouts):
            now = state
            while movers := game.movers(now):
                legal = game.legal(now, movers[0])
                now = self._after(now, movers[0], legal[self._below(len(legal))])
            sums = [total + gain for total, gain in zip(sums, game.returns(now), strict=True)]
        return [total / self.agent.rollouts for total in sums]

    @staticmethod
    def _prove(node: _Node) -> bool:
        chooser = node.children[0].chooser
        known = [child.proven for child in node.children if child.proven is not None]
        best = max(known, key=lambda returns: returns[chooser], default=None)
        if best is None or (len(known) < len(node.children) and best[chooser] < 1):
            return False
        node.proven = best
        return True

    def _after(self, state: Any, mover: Seat, action: Action) -> Any:
        return self.game.play(state, {mover: action}, self._no_chance)

    def _below(self, n: int) -> int:
        self.noise = (self.noise + int(GOLDEN)) % 2**64
        # Kernels hand back plain integers, and take large ones only in a type of their own.
        return int(compiled_in_background(below)(np.uint64(compiled_in_background(scramble)(np.uint64(self.noise))), n))
