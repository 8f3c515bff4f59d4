"""OpenSpiel's coin game on a 5×5 board, driven from Python with random moves."""

from __future__ import annotations

import random
from functools import partial

import pyspiel
from _rows import rate, tell

GAME = "coin_game(rows=5,columns=5,num_extra_coin_colors=0,num_coins_per_color=1,episode_length=50)"


def steps(game: pyspiel.Game, seed: int, luck: random.Random) -> float:
    """Those of an episode: players take turns there, and one step of ours is a move of each."""
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(luck.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(luck.choice(state.legal_actions()))
            moves += 1
    return moves / 2


how = "coin_game 5×5 from Python, random moves, nothing observed"
value = rate(partial(steps, pyspiel.load_game(GAME)))
tell("batched", "CoinDilemma", value, "env steps/s", how, "open_spiel", "OpenSpiel {}", game=GAME)
