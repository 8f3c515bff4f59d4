"""Compiled boards play by the same rules as their games, move by move, in every game that has one."""

from __future__ import annotations

import copy
import pickle
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.core import registry
from mmgames.core.board import RUNNING, board_of

GAMES = [spec.id for spec in mmgames.specs.values() if find_spec(f"{spec.package}.board")]
RNG = np.random.default_rng(0)


def legal_on(board, row) -> list[int]:
    out = np.full(board.most_moves + 1, -1, np.int64)
    n = board.moves(row, out)
    assert (
        0 < n <= board.most_moves and out[-1] == -1
    )  # what is behind the moves may be scratch, up to the promised room
    return out[:n].tolist()


def test_the_games_that_search_agents_need_have_boards():
    assert {"mmgames/Breakthrough-v0", "mmgames/TicTacToe-v0"} <= set(GAMES)


@pytest.mark.parametrize("id", GAMES)
@given(choices=st.randoms(use_true_random=False))
def test_a_board_and_its_game_agree_to_the_end(id, choices):
    game = registry.load(id).game()
    board = board_of(game)
    state, row, result = game.start(RNG), np.zeros(board.width, np.int64), RUNNING
    board.start(row)
    while movers := game.movers(state):
        assert result == RUNNING
        assert (row[0],) == movers
        assert sorted(legal_on(board, row)) == sorted(game.legal(state, movers[0]))
        assert -1 < board.evaluate(row) < 1
        action = choices.choice(game.legal(state, movers[0]))
        state = game.play(state, {movers[0]: action}, RNG)
        result = board.play(row, action)
    assert [result, -result] == list(game.returns(state))


@pytest.mark.parametrize("id", GAMES)
@given(choices=st.randoms(use_true_random=False), moves=st.integers(0, 40))
def test_states_are_values(id, choices, moves):
    game = registry.load(id).game()
    state = game.start(RNG)
    for _ in range(moves):
        if movers := game.movers(state):
            before = state.history
            action = choices.choice(game.legal(state, movers[0]))
            state, earlier = game.play(state, {movers[0]: action}, RNG), state
            assert earlier.history == before
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin == state and hash(twin) == hash(state)
        assert game.view(twin, 0) == game.view(state, 0)


@pytest.mark.parametrize("id", GAMES)
def test_a_position_is_found_again_from_a_state(id):
    game = registry.load(id).game()
    board = board_of(game)
    rng = np.random.default_rng(1)
    state, row = game.start(rng), np.zeros(board.width, np.int64)
    board.start(row)
    while movers := game.movers(state):
        assert board.row(state).tolist() == row.tolist()
        action = rng.choice(game.legal(state, movers[0]))
        state = game.play(state, {movers[0]: int(action)}, rng)
        board.play(row, action)
