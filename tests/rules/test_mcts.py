"""Tree search: the compiled and the plain search agree, proofs are right, and it plays well."""

from __future__ import annotations

from collections import Counter
from math import inf, nan

import numpy as np
import pytest

from mmgames.agents.finding import known_agents
from mmgames.baselines.search.mcts import MCTS, Candidate
from mmgames.baselines.search.minimax import Minimax
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.running.matches import match
from tests.rules.plain import without_kernel

RNG = np.random.default_rng(0)
TIC_TAC_TOE = registry.load("TicTacToe").game()
BREAKTHROUGH = registry.load("Breakthrough").game()


def after(game, *actions: int):
    state = game.start(RNG)
    for action in actions:
        state = game.play(state, {game.movers(state)[0]: action}, RNG)
    return state


def best(found: list[Candidate]) -> int:
    return max(found, key=lambda move: (move.proven or 0.0, move.visits, move.mean)).action


@pytest.mark.parametrize("opening", [(), (4,), (0, 4), (0, 1, 4), (0, 4, 8, 2, 6), (0, 1, 2, 4, 3, 5, 7, 6)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_compiled_search_and_the_plain_one_find_the_same(opening, seed):
    state, plain = after(TIC_TAC_TOE, *opening), without_kernel("TicTacToe")
    for agent in (MCTS(60, 3), MCTS(200, 1, c=0.5)):
        ours, theirs = (agent.search(game, state, np.uint64(seed)) for game in (TIC_TAC_TOE, plain))
        assert [move[:2] for move in ours] == [move[:2] for move in theirs]
        assert [move.mean for move in ours] == pytest.approx([move.mean for move in theirs])
        assert [move.proven for move in ours] == [move.proven for move in theirs]


def test_every_move_is_tried_before_one_is_tried_twice():
    for seed in range(5):
        for simulations in (1, 9, 22, 44):
            found = MCTS(simulations, 1).search(BREAKTHROUGH, BREAKTHROUGH.start(RNG), np.uint64(seed))
            assert len(found) == 22 and all(-1 <= move.mean <= 1 for move in found)
            assert sorted(move.visits for move in found)[-min(simulations, 22)] >= 1
            assert sum(move.visits for move in found) == simulations


def test_proven_results_are_those_of_perfect_play():
    for opening in [(0, 3, 1, 4), (0, 1, 4), (0, 8, 2), (4, 1, 0), (4, 0, 1, 7, 2), (0, 1, 2, 4, 3, 5, 7)]:
        state = after(TIC_TAC_TOE, *opening)
        (mover,) = TIC_TAC_TOE.movers(state)
        proven = {}
        for move in MCTS(5000, 1).search(TIC_TAC_TOE, state, np.uint64(7)):
            if move.proven is not None:
                child = TIC_TAC_TOE.play(state, {mover: move.action}, RNG)
                while TIC_TAC_TOE.movers(child):
                    seat = TIC_TAC_TOE.movers(child)[0]
                    child = TIC_TAC_TOE.play(child, {seat: Minimax().best(TIC_TAC_TOE, child)[0]}, RNG)
                proven[move.action] = move.proven
                assert move.proven == TIC_TAC_TOE.returns(child)[mover]
        assert proven, "small positions are proven"


def test_a_win_is_taken_and_a_loss_avoided():
    for seed in range(20):
        assert best(MCTS(50, 1).search(TIC_TAC_TOE, after(TIC_TAC_TOE, 0, 3, 1, 4), np.uint64(seed))) == 2
        assert best(MCTS(200, 1).search(TIC_TAC_TOE, after(TIC_TAC_TOE, 0, 4, 1), np.uint64(seed))) == 2


def test_it_never_loses_tic_tac_toe_with_a_thousand_simulations():
    agents = ["mcts:simulations=1000", "minimax"]
    assert (match("TicTacToe", agents, 20).returns() == 0).all()
    assert (match("TicTacToe", agents[::-1], 20).returns() == 0).all()


def test_more_simulations_play_better():
    returns = [
        match("Breakthrough", agents, 8).returns()
        for agents in (["mcts:400,2", "mcts:25,2"], ["mcts:25,2", "mcts:400,2"])
    ]
    assert returns[0][:, 0].sum() + returns[1][:, 1].sum() >= 10, "of sixteen games it wins at least thirteen"


def test_the_rng_settles_everything():
    live = LiveGame(registry.load("Breakthrough"), BREAKTHROUGH)
    live.start(np.random.default_rng(0))

    def chosen(seed: int) -> list[int]:
        rng = np.random.default_rng(seed)
        return [MCTS(40, 2).act(Turn(live, 0, rng)) for _ in range(6)]

    assert chosen(5) == chosen(5)
    assert len({tuple(chosen(seed)) for seed in range(4)}) == 4
    assert len(Counter(chosen(5))) > 1, "one turn after another draws on"


@pytest.mark.parametrize("options", [{"simulations": 0}, {"rollouts": -1}, {"simulations": 2.5}, {"rollouts": True}])
def test_impossible_numbers_are_refused_in_a_sentence(options):
    with pytest.raises(MmgamesError, match=r"is not possible: give a whole number from 1\."):
        MCTS(**options)


@pytest.mark.parametrize("c", [-1, inf, nan, "much", True])
def test_an_impossible_c_is_refused_in_a_sentence(c):
    with pytest.raises(MmgamesError, match=r"c=.* is not possible: give a number from 0\."):
        MCTS(c=c)


def test_a_search_that_does_not_fit_in_memory_is_refused_in_a_sentence():
    with pytest.raises(MmgamesError, match=r"simulations=10000000000 is too many"):
        MCTS(10**10).search(BREAKTHROUGH, BREAKTHROUGH.start(RNG), np.uint64(0))


@pytest.mark.parametrize("id", ["CoinDilemma", "KuhnPoker"])
def test_games_it_cannot_play_are_refused_in_a_sentence(id):
    loaded = registry.load(id)
    assert "mcts" not in known_agents(loaded.spec)
    live = LiveGame(loaded, loaded.game())
    live.start(np.random.default_rng(0))
    with pytest.raises(MmgamesError, match=f"MCTS cannot play mmgames/{id}-v0"):
        MCTS().act(Turn(live, 0, RNG))
