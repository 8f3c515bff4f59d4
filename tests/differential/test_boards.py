"""OpenSpiel judges the boards and KuhnPoker: hundreds of random games, move by move."""

import numpy as np
import pyspiel
import pytest

import mmgames
from mmgames.core.game import CHANCE
from tests.rules.kuhn import ENGINE

GAMES = 300
ENGINES = {"TicTacToe": "tic_tac_toe", "Breakthrough": "breakthrough", "Reversi": "othello"}


@pytest.mark.parametrize("name", ENGINES)
def test_random_games_agree_with_openspiel_to_the_end(name: str) -> None:
    env = mmgames.vector_env(name, GAMES, observe="action_mask", copy=False)
    engine = pyspiel.load_game(ENGINES[name])
    assert engine.num_distinct_actions() == env.single_action_space.n
    masks = env.reset(seed=11)[0]["action_mask"]
    theirs = [engine.new_initial_state() for _ in range(GAMES)]
    running, totals, results = np.ones(GAMES, bool), np.zeros((GAMES, 2)), set()
    while running.any():
        expected = np.zeros_like(masks)
        for i in np.flatnonzero(running):
            expected[i, theirs[i].current_player(), theirs[i].legal_actions()] = 1
        assert np.array_equal(masks[running], expected[running])
        actions = env.random_actions()
        observation, rewards, terminated, _, _ = env.step(actions)
        masks = observation["action_mask"]
        totals[running] += rewards[running]
        for i in np.flatnonzero(running):
            state = theirs[i]
            state.apply_action(int(actions[i, state.current_player()]))
            assert state.is_terminal() == terminated[i]
            if terminated[i]:
                assert state.returns() == totals[i].tolist()
                results.add(totals[i, 0])
        running &= ~terminated
    assert results == {1.0, -1.0} | (set() if name == "Breakthrough" else {0.0})


GAME = mmgames.load_game("mmgames/KuhnPoker-v0")


def test_random_games_agree():
    rng = np.random.default_rng(0)
    keys: dict[tuple, str] = {}
    for _ in range(1500):
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
