"""Agents that choose for many episodes at once, beside compiled ones, in both batched faces."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mmgames
from mmgames.baselines import random
from mmgames.baselines.learning import learned
from mmgames.baselines.search.exploitability import exploitability, policy_of
from mmgames.envs.batch_agents import BatchAgents, play
from mmgames.errors import MmgamesError
from tests.players import Acts, first_legal
from tests.refusing import refused


class FirstOfMany(Acts):
    def batch_player(self, env: Any, seat: int) -> Any:
        first = SimpleNamespace(choose=lambda which: None, forget=lambda which: None)
        first.act = lambda seen, rows, masks, draws: masks.argmax(axis=1)
        return first


@pytest.mark.parametrize("game", ["TicTacToe", "CoinDilemma", "Breakthrough"])
@pytest.mark.parametrize("seat", [0, 1])
def test_one_seat_beside_an_asked_agent_is_the_process_of_gym_make(game: str, seat: int) -> None:
    """Where nothing is drawn by agents or game, the batch and the single environment go the same way."""
    id = f"mmgames/{game}-v0"
    batch = gym.make_vec(id, num_envs=3, seat=seat, others=FirstOfMany(first_legal))
    single = gym.make(id, seat=seat, others=Acts(first_legal), observe=("features", "action_mask"))
    seen, _ = batch.reset(seed=5)
    one, _ = single.reset(seed=5)
    if game == "CoinDilemma":  # the deals differ between faces: only the shape of the process is compared
        for step in range(50):
            seen, rewards, terminated, *_ = batch.step(np.zeros(3, np.int64))
            assert terminated.all() == (step == 49)
        return
    over = False
    while not over:
        for row in range(3):
            assert np.array_equal(seen["features"][row], one["features"])
            assert np.array_equal(seen["action_mask"][row], one["action_mask"])
        action = int(np.flatnonzero(one["action_mask"])[-1])
        seen, rewards, terminated, *_ = batch.step(np.full(3, action))
        one, reward, over, _, _ = single.step(action)
        assert (rewards == reward).all() and (terminated == over).all()
    batch.close()


def test_rows_do_not_depend_on_their_number() -> None:
    few = play("KuhnPoker", ["ippo", "ippo"], 8, seed=3, num_envs=8)
    env = mmgames.vector_env("KuhnPoker", 16, copy=False)
    from mmgames.agents.finding import seat_agents

    crowd, others = (BatchAgents(env, seat_agents("ippo", env.game, [0, 1]), 3) for _ in range(2))
    observation, _ = env.reset(seed=3)
    joint, idle = np.full((16, 2), 7), np.arange(16) % 2 == 0
    others.act(observation, joint, idle)
    assert (joint[idle] == 7).all() and not joint[~idle, 1].any(), "who is idle is left alone, who waits does nothing"
    joint, total, over = np.zeros((16, 2), np.int64), np.zeros((16, 2)), np.zeros(16, bool)
    first = np.zeros((16, 2))
    ended = np.zeros(16, bool)
    while not ended.all():
        crowd.act(observation, joint, over)
        observation, rewards, terminated, truncated, _ = env.step(joint)
        total += rewards
        over = terminated | truncated
        first[over & ~ended] = total[over & ~ended]
        ended |= over
    assert sorted(map(tuple, first[:8].tolist())) == sorted(map(tuple, few.tolist()))
    least = {"CoinDilemma": 13.5, "MonsterHunt": 80, "BattleOfTheColors": 28, "Overcooked": 50, "Hanabi": 14}
    for game, returns in {**least, "TinyHanabi": 5.4}.items():
        assert play(game, "ippo", 100, seed=2).mean() > returns
    assert play("TicTacToe", ["ippo", "random"], 200, seed=2).mean(0)[0] > 0.7
    game, agents = mmgames.load_game("KuhnPoker"), (learned.Learned(), learned.Learned())
    assert exploitability(game, policy_of(agents, game, 1, np.random.default_rng(0))) < 0.04


def test_who_plays_one_episode_at_a_time_is_refused_whatever_its_class_is_called() -> None:
    refused(lambda: play("TicTacToe", ["ippo", "minimax"], 4), "plays one episode at a time")
    refused(lambda: play("TicTacToe", "random", 0), "episodes=0 is out of range")

    class Random:
        def act(self, turn: Any) -> int:
            return 0

    class Careful(random.Random):
        def act(self, turn: Any) -> int:
            return int(turn.legal[0])

    for agent in (Random(), Careful()):
        with pytest.raises(MmgamesError, match=f"{type(agent).__name__} has no compiled policy"):
            gym.make_vec("mmgames/CoinDilemma-v0", num_envs=2, others=agent)
        refused(partial(play, "CoinDilemma", agent, 2), f"{type(agent).__name__} plays one episode at a time")
    assert gym.make_vec("mmgames/CoinDilemma-v0", num_envs=2, others="random").reset(seed=0)
