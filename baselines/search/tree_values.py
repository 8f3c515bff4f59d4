"""What every state of a small game with explicit chance is worth to each seat, between the agents that sit there."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.baselines.search.cfr import solve
from mmgames.baselines.search.exploitability import exact, information_sets
from mmgames.core.game import CHANCE, Game

ITERATIONS = 1000


def signals(game: Game, agents: Sequence[Agent]) -> Callable[[Any], tuple[float, ...]]:
    """What each seat collects from a state on average, exactly where all agents tell how likely their moves are.

    One that does not tell is taken for an equilibrium player.
    """
    no_rng = np.random.default_rng(0)  # explicit chance only: play() draws nothing
    telling = [agent.tells_probabilities for agent in agents]
    balanced = {} if all(telling) else solve(game, ITERATIONS)
    policy = {
        view: exact(agents[seat], game, seat, state) if telling[seat] else balanced[view]
        for view, (seat, state) in information_sets(game).items()
    }
    known: dict[Any, tuple[float, ...]] = {}

    def value(state: Any) -> tuple[float, ...]:
        if state not in known:
            worth = np.zeros(len(game.seats)) if game.movers(state) else np.array(game.returns(state), float)
            for mover in game.movers(state):
                ways = game.chance(state) if mover == CHANCE else policy[game.view(state, mover)].items()
                for action, share in ways:
                    worth += share * np.array(value(game.play(state, {mover: action}, no_rng)))
            known[state] = tuple(worth.tolist())
        return known[state]

    return value
