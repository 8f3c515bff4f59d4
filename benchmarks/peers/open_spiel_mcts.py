"""OpenSpiel's tree search for the first move of Breakthrough, in C++ and in Python: 100 simulations with 10 random
games each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from _rows import ROUNDS, rate, tell
from open_spiel.python.algorithms import mcts

SIMULATIONS, ROLLOUTS, EXPLORATION = 100, 10, 2.0
MEMORY_MB = 1000
GAME = pyspiel.load_game("breakthrough")


def fast(seed: int) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    return pyspiel.MCTSBot(GAME, evaluator, EXPLORATION, SIMULATIONS, MEMORY_MB, True, seed, False)


def slow(seed: int) -> Any:
    luck = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(ROLLOUTS, luck)
    return mcts.MCTSBot(GAME, EXPLORATION, SIMULATIONS, evaluator, solve=True, random_state=luck)


settings = {"simulations": SIMULATIONS, "rollouts": ROLLOUTS, "uct_c": EXPLORATION, "solve": True}
for language, make in (("C++", fast), ("Python", slow)):
    bots = [make(seed) for seed in range(ROUNDS)]

    def search(seed: int, luck: Any, bots: list[Any] = bots) -> int:
        bots[seed].step(GAME.new_initial_state())
        return 1

    how = f"MCTSBot in {language}, {SIMULATIONS} × {ROLLOUTS}, first move"
    name = "OpenSpiel {}" if language == "C++" else "OpenSpiel {} (Python)"
    tell("search", "Breakthrough", rate(search), "searches/s", how, "open_spiel", name, **settings)
