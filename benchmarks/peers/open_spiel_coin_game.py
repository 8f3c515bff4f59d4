"""OpenSpiel's coin game on a 5×5 board, driven from Python with random moves."""

from __future__ import annotations

import json
import random
import sys
import time
from importlib.metadata import version

import pyspiel

SECONDS = 1.0
ROUNDS = 3
GAME = "coin_game(rows=5,columns=5,num_extra_coin_colors=0,num_coins_per_color=1,episode_length=50)"


def steps_per_second(game: pyspiel.Game, luck: random.Random) -> float:
    moves = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(luck.choice(outcomes)[0])
            else:
                state.apply_action(luck.choice(state.legal_actions()))
                moves += 1
    # Players take turns there; one step of ours is a move of each.
    return moves / 2 / (time.perf_counter() - start)


best = max(steps_per_second(pyspiel.load_game(GAME), random.Random(seed)) for seed in range(ROUNDS))
row = {
    "measure": "batched",
    "game": "mmgames/CoinDilemma-v0",
    "value": best,
    "unit": "env steps/s",
    "how": "coin_game 5×5 from Python, random moves, nothing observed",
    "library": f"OpenSpiel {version('open_spiel')}",
    "settings": {"game": GAME},
}
json.dump(row, sys.stdout)
