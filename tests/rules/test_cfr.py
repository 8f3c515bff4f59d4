"""Regret minimisation finds what OpenSpiel's finds, and comes ever closer to an equilibrium."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr as spiel_cfr

from mmgames.agents.finding import known_agents, make_agent
from mmgames.baselines.search.cfr import CFR, solve
from mmgames.baselines.search.exploitability import exploitability, information_sets, policy_of
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.kuhn_poker.rules import BET, KING, PASS
from mmgames.running.matches import match
from tests.rules.kuhn import spiel_state

ROOMS = registry.load("KuhnPoker")
GAME = ROOMS.game()
SETS = information_sets(GAME)


@pytest.mark.parametrize("iterations", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("plus", [False, True])
def test_the_average_strategy_is_openspiels_after_as_many_iterations(iterations, plus):
    solver = (spiel_cfr.CFRPlusSolver if plus else spiel_cfr.CFRSolver)(pyspiel.load_game("kuhn_poker"))
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    theirs, ours = solver.average_policy(), solve(GAME, iterations, plus)
    assert set(ours) == set(SETS)
    for view, (_, state) in SETS.items():
        assert ours[view] == pytest.approx(theirs.action_probabilities(spiel_state(state)), abs=1e-9)


@pytest.mark.parametrize("plus", [False, True])
def test_more_iterations_leave_less_to_exploit(plus):
    values = [exploitability(GAME, solve(GAME, iterations, plus)) for iterations in (1, 10, 100, 1000, 10_000)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(11 / 24), "the first iteration plays both actions alike"
    assert 0 <= values[-1] < 2e-4


def test_the_agent_tells_its_probabilities():
    agent = make_agent("cfr:iterations=500,plus=True", ROOMS.spec)
    policy = policy_of((agent, agent), GAME, 1, np.random.default_rng(0))
    assert policy == agent.policy(GAME) == solve(GAME, 500, plus=True)
    assert all(sum(shares.values()) == pytest.approx(1) for shares in policy.values())


def test_played_games_follow_the_probabilities():
    agent = CFR(200)
    live, rng = LiveGame(ROOMS, GAME), np.random.default_rng(2)
    for view, (seat, state) in SETS.items():
        live.go_on_from(state, rng)
        bets = sum(agent.act(Turn(live, seat, rng)) for _ in range(1500))
        assert bets / 1500 == pytest.approx(agent.policy(GAME)[view][BET], abs=0.05)


def test_matches_seat_it_by_name():
    assert "cfr" in known_agents(ROOMS.spec)
    result = match("KuhnPoker", ["cfr", "equilibrium"], 3000, seed=1)
    assert not result.summary()["failed"]
    assert result.returns()[:, 0].mean() == pytest.approx(-1 / 18, abs=0.1), "the value of the game"


@pytest.mark.parametrize("options", [{"iterations": 0}, {"iterations": 1.5}, {"iterations": True}, {"plus": "yes"}])
def test_impossible_options_are_refused_in_a_sentence(options):
    with pytest.raises(MmgamesError, match=r"is not possible: give "):
        CFR(**options)


@pytest.mark.parametrize("id", ["CoinDilemma", "TicTacToe"])
def test_games_it_cannot_play_are_refused_in_a_sentence(id):
    loaded = registry.load(id)
    assert "cfr" not in known_agents(loaded.spec)
    with pytest.raises(MmgamesError, match=f"CFR cannot play mmgames/{id}-v0"):
        solve(loaded.game(), 1)


def test_a_tree_that_is_too_large_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr("mmgames.baselines.search.cfr.MOST_NODES", 20)
    with pytest.raises(MmgamesError, match="more than 20 nodes"):
        solve(GAME, 1)


def test_views_that_hide_what_can_be_done_are_refused_in_a_sentence():
    class Forgetful(ROOMS.rules):
        def legal(self, state, seat):
            return [PASS] if state.cards[0] == KING and seat == 1 else super().legal(state, seat)

    with pytest.raises(MmgamesError, match="same view have different legal moves"):
        solve(Forgetful(ROOMS.spec), 1)
