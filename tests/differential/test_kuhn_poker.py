"""OpenSpiel judges KuhnPoker: chances, movers, legal moves, returns and what each seat knows, over random games."""

from __future__ import annotations

import numpy as np

import mmgames
from mmgames.core.game import CHANCE
from tests.rules.kuhn import ENGINE

GAME = mmgames.load_game("mmgames/KuhnPoker-v0")
GAMES = 5000


def test_random_games_agree():
    rng = np.random.default_rng(0)
    keys: dict[tuple, str] = {}
    for _ in range(GAMES):
        state, theirs = GAME.start(rng), ENGINE.new_initial_state()
        while True:
            assert GAME.returns(state) == tuple(theirs.returns())
            movers = GAME.movers(state)
            assert movers == (() if theirs.is_terminal() else (theirs.current_player(),))
            if not movers:
                break
            (mover,) = movers
            assert list(GAME.chance(state)) == (theirs.chance_outcomes() if mover == CHANCE else [])
            if mover == CHANCE:
                moves = [outcome for outcome, _ in GAME.chance(state)]
            else:
                moves = list(GAME.legal(state, mover))
                assert moves == theirs.legal_actions()
                key = theirs.information_state_string(mover)
                assert keys.setdefault(GAME.view(state, mover), key) == key
            move = moves[int(rng.integers(len(moves)))]
            state = GAME.play(state, {mover: move}, rng)
            theirs.apply_action(move)
    assert len(keys) == len(set(keys.values())) == 12
