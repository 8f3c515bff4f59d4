"""Counterfactual regret minimisation for any small game of two seats that move in turn, with explicit chance.

M. Zinkevich et al., Regret minimization in games with incomplete information (2007); with `plus`, CFR+ of O. Tammelin,
Solving large imperfect information games using CFR+ (2014). The seats are updated one after the other in every
iteration, and what is played is the average strategy, which approaches an equilibrium in zero-sum games. Views are the
information sets, so a view must hold all that its seat has seen. The game tree is laid out in arrays once, and a kernel
does the iterations.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.baselines.search.exploitability import Policy
from mmgames.core.game import CHANCE, Action, Game
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.kernels.kernel import kernel

MOST_NODES = 1_000_000
OVER = -2


class CFR(Agent):
    """Plays the average strategy that `iterations` of regret minimisation have found; solved once per game."""

    def __init__(self, iterations: int = 10_000, plus: bool = False) -> None:
        whole = isinstance(iterations, (int, np.integer)) and not isinstance(iterations, bool)
        if not (whole and iterations >= 1):
            raise MmgamesError(f"iterations={iterations!r} is not possible: give a whole number from 1.")
        if not isinstance(plus, bool):
            raise MmgamesError(f"plus={plus!r} is not possible: give True for CFR+ or False for plain CFR.")
        self.iterations = int(iterations)
        self.plus = plus
        self._solved: dict[Any, Policy] = {}

    def policy(self, game: Game) -> Policy:
        """The whole strategy, for both seats."""
        key = (game.spec.id, tuple(sorted(game.options.items())))
        if key not in self._solved:
            self._solved[key] = solve(game, self.iterations, self.plus)
        return self._solved[key]

    def probabilities(self, turn: Turn) -> dict[Action, float]:
        """How likely each action is in this turn."""
        return dict(self.policy(turn.game)[turn.view])

    def act(self, turn: Turn) -> Action:
        draw = turn.rng.random()
        for action, share in self.probabilities(turn).items():  # noqa: B007 - the last action takes the rounding
            draw -= share
            if draw < 0:
                break
        return action


def solve(game: Game, iterations: int, plus: bool = False) -> Policy:
    """The average strategy of all information sets after so many iterations."""
    tree = grow(game)
    average = iterate(
        tree.owner, tree.child, tree.count, tree.share, tree.payoff, tree.place, tree.begin, iterations, plus
    )
    shares = np.split(average, tree.begin[1:-1])
    return {
        view: dict(zip(actions, own.tolist(), strict=True))
        for (view, actions), own in zip(tree.sets.items(), shares, strict=False)
    }


@dataclass(frozen=True)
class Tree:
    """A whole game tree, nodes before their children."""

    owner: np.ndarray  # whose node it is: a seat, CHANCE or OVER
    child: np.ndarray  # the first child; the others follow it
    count: np.ndarray  # how many children
    share: np.ndarray  # how likely chance takes the way that leads here
    payoff: np.ndarray  # [node, seat], where the game is over
    place: np.ndarray  # which information set a seat's node is in
    begin: np.ndarray  # where the actions of an information set begin in a list of all of them; and its length
    sets: dict[Any, tuple[Action, ...]]  # the actions of each information set, by its view


def grow(game: Game) -> Tree:
    spec = game.spec
    if (spec.dynamics, spec.chance, len(game.seats)) != ("sequential", "explicit", 2):
        raise MmgamesError(f"CFR cannot play {spec.id}: it needs two seats that move in turn and explicit chance.")
    no_rng = np.random.default_rng(0)  # explicit chance only: play() draws nothing
    states, shares = [game.start(no_rng)], [1.0]
    nodes, payoff = [], []
    sets: dict[Any, tuple[Action, ...]] = {}
    numbers: dict[Any, int] = {}
    for state in states:  # grows while it is read
        mover = next(iter(game.movers(state)), OVER)
        ways, number = list(game.chance(state)) if mover == CHANCE else [], -1
        if mover >= 0:
            view, legal = game.view(state, mover), tuple(game.legal(state, mover))
            ways, number = [(action, 1.0) for action in legal], numbers.setdefault(view, len(numbers))
            if sets.setdefault(view, legal) != legal:
                raise MmgamesError(f"CFR cannot play {spec.id}: states with the same view have different legal moves.")
        nodes.append((mover, len(states), len(ways), number))
        payoff.append(list(game.returns(state)) if mover == OVER else [0.0, 0.0])
        if len(states) + len(ways) > MOST_NODES:
            raise MmgamesError(f"CFR cannot play {spec.id}: its tree has more than {MOST_NODES:,} nodes.")
        for action, share in ways:
            states.append(game.play(state, {mover: action}, no_rng))
            shares.append(share)
    owner, child, count, place = np.array(nodes).T.copy()
    begin = np.cumsum([0, *map(len, sets.values())])
    return Tree(owner, child, count, np.array(shares), np.array(payoff), place, begin, sets)


@kernel
def iterate(owner, child, count, share, payoff, place, begin, iterations, plus):
    """The average strategy: for each information set from `begin[set]`, how likely each of its actions is."""
    nodes, actions = owner.size, begin[-1]
    regret, average, strategy = np.zeros(actions), np.zeros(actions), np.empty(actions)
    match_regret(begin, regret, strategy)
    mine, others, value = np.empty(nodes), np.empty(nodes), np.empty(nodes)
    for iteration in range(iterations):
        weight = iteration + 1.0 if plus else 1.0  # CFR+ averages with growing weights
        for seat in range(2):
            mine[0] = others[0] = 1.0
            for node in range(nodes):  # how far the seat itself, and all the others, bring the game here
                for way in range(count[node]):
                    to = child[node] + way
                    prob = strategy[begin[place[node]] + way] if owner[node] >= 0 else share[to]
                    mine[to] = mine[node] * prob if owner[node] == seat else mine[node]
                    others[to] = others[node] if owner[node] == seat else others[node] * prob
            for node in range(nodes - 1, -1, -1):
                value[node] = payoff[node, seat]
                for way in range(count[node]):
                    to = child[node] + way
                    prob = strategy[begin[place[node]] + way] if owner[node] >= 0 else share[to]
                    value[node] += prob * value[to]
                if owner[node] == seat:
                    for way in range(count[node]):
                        at = begin[place[node]] + way
                        regret[at] += others[node] * (value[child[node] + way] - value[node])
                        average[at] += weight * mine[node] * strategy[at]
            if plus:
                regret = np.maximum(regret, 0.0)
            match_regret(begin, regret, strategy)
    match_regret(begin, average, average)
    return average


@kernel
def match_regret(begin, amounts, shares):
    """Shares in proportion to the positive amounts of an information set; equal ones where there are none."""
    for number in range(begin.size - 1):
        first, last = begin[number], begin[number + 1]
        total = 0.0
        for at in range(first, last):
            total += max(amounts[at], 0.0)
        for at in range(first, last):
            shares[at] = max(amounts[at], 0.0) / total if total > 0 else 1.0 / (last - first)
