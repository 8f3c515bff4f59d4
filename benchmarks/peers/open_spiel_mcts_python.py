"""OpenSpiel's tree search in Python for the first move of Breakthrough: 100 simulations with 10 random games each."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

ROUNDS = 2
SIMULATIONS, ROLLOUTS, EXPLORATION = 100, 10, 2.0


def searches_per_second(game: pyspiel.Game, seed: int) -> float:
    luck = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(ROLLOUTS, luck)
    bot = mcts.MCTSBot(game, EXPLORATION, SIMULATIONS, evaluator, solve=True, random_state=luck)
    start = time.perf_counter()
    bot.step(game.new_initial_state())
    return 1 / (time.perf_counter() - start)


row = {
    "measure": "search",
    "game": "mmgames/Breakthrough-v0",
    "value": max(searches_per_second(pyspiel.load_game("breakthrough"), seed) for seed in range(ROUNDS)),
    "unit": "searches/s",
    "how": f"MCTSBot in Python, {SIMULATIONS} × {ROLLOUTS}, first move",
    "library": f"OpenSpiel {version('open_spiel')} (Python)",
    "settings": {"simulations": SIMULATIONS, "rollouts": ROLLOUTS, "uct_c": EXPLORATION, "solve": True},
}
json.dump(row, sys.stdout)
