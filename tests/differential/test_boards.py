"""OpenSpiel judges the boards: thousands of random games, move by move."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

import mmgames

GAMES = 1000
ENGINES = {"TicTacToe": "tic_tac_toe", "Breakthrough": "breakthrough", "Reversi": "othello"}


@pytest.mark.parametrize("name", ENGINES)
def test_random_games_agree_with_openspiel_to_the_end(name: str) -> None:
    """Whose turn it is, every legal move, when it is over and what it pays."""
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
    draws = set() if name == "Breakthrough" else {0.0}
    assert results == {1.0, -1.0} | draws
