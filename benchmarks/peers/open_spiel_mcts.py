"""OpenSpiel's tree search in C++ for the first move of Breakthrough: 100 simulations with 10 random games each."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import pyspiel

SECONDS = 1.0
ROUNDS = 3
SIMULATIONS, ROLLOUTS, EXPLORATION = 100, 10, 2.0
MEMORY_MB = 1000


def searches_per_second(game: pyspiel.Game, seed: int) -> float:
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, MEMORY_MB, True, seed, False)
    state = game.new_initial_state()
    searches = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        bot.step(state)
        searches += 1
    return searches / (time.perf_counter() - start)


row = {
    "measure": "search",
    "game": "mmgames/Breakthrough-v0",
    "value": max(searches_per_second(pyspiel.load_game("breakthrough"), seed) for seed in range(ROUNDS)),
    "unit": "searches/s",
    "how": f"MCTSBot in C++, {SIMULATIONS} × {ROLLOUTS}, first move",
    "library": f"OpenSpiel {version('open_spiel')}",
    "settings": {"simulations": SIMULATIONS, "rollouts": ROLLOUTS, "uct_c": EXPLORATION, "solve": True},
}
json.dump(row, sys.stdout)
