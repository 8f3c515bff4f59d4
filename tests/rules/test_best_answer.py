"""Best answers to agents in the grid dilemmas: worth what they say, and no less than the agents themselves get."""

from __future__ import annotations

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import seat_agents
from mmgames.baselines.search import best_answer
from mmgames.envs.batch_agents import BatchAgents, play
from mmgames.errors import MmgamesError
from mmgames.kernels.threads import Threads


def test_it_gets_what_it_is_worth_and_at_least_what_the_agent_gets() -> None:
    game, agent = "BattleOfTheColors", "optimum"
    worth, returns = best_answer.answered(game, agent, 1000, 3)
    error = returns.std() / len(returns) ** 0.5
    assert returns.mean() == pytest.approx(worth, abs=4 * error)
    own = play(game, [agent, agent], 1000, seed=4)[:, 0]
    assert worth > own.mean() - 4 * own.std() / len(own) ** 0.5


def test_habits_are_how_often_an_agent_moves_so() -> None:
    """A learned policy's chances against its own draws, and a compiled one's against what it does."""
    game = mmgames.load_game("CoinDilemma")
    env = mmgames.vector_env("CoinDilemma", 400)
    seen, _ = env.reset(seed=5)
    number = best_answer.numbers(best_answer.positions(env.states))
    for agent in ("ippo", "self_interest"):
        made = seat_agents(agent, game, [1])[1]
        habits = best_answer.MoveProbabilities(game, made, Threads(2))
        chances = habits.at(0)[number]
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
        counts = np.zeros_like(chances)
        crowd = BatchAgents(env, {1: made}, 6)
        for _ in range(100):
            joint = np.zeros((400, 2), np.int64)
            crowd.act(seen, joint, np.zeros(400, bool))
            counts[np.arange(400), joint[:, 1]] += 1 / 100
        assert np.abs(counts - chances).max() < 0.25
        assert np.abs((counts - chances).mean(axis=0)).max() < 0.01


def test_one_plan_plays_many_episodes_or_one_at_a_time_and_only_for_red() -> None:
    game = mmgames.load_game("CoinDilemma")
    answer = best_answer.BestAnswer(game, seat_agents("self_interest", game, [1])[1])
    with pytest.raises(MmgamesError, match="red's"):
        answer.begin(game, 1)
    together = play("CoinDilemma", [answer, "self_interest"], 1000, seed=3)[:, 0]
    assert together.mean() == pytest.approx(answer.worth, abs=4 * together.std() / len(together) ** 0.5)
    own = play("CoinDilemma", ["self_interest"] * 2, 1000, seed=4)[:, 0]
    assert answer.worth > own.mean() - 4 * own.std() / len(own) ** 0.5
    result = mmgames.match("CoinDilemma", [answer, "self_interest"], episodes=20, processes=1, progress=False)
    alone = result.returns()[:, 0]
    assert alone.mean() == pytest.approx(answer.worth, abs=4 * alone.std() / len(alone) ** 0.5)


def test_what_it_cannot_answer_is_said() -> None:
    battle = mmgames.load_game("BattleOfTheColors", rules="released")
    with pytest.raises(MmgamesError, match="as it is by default"):
        best_answer.BestAnswer(battle, object())
    with pytest.raises(MmgamesError, match="no compiled policy"):
        best_answer.BestAnswer(mmgames.load_game("CoinDilemma"), object())
