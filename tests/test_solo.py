"""One seat of a game, with agents in the others, and observations as other libraries lay them out."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

import mmgames
from mmgames.baselines.random import Random
from mmgames.testing.gymnasium_api import play_out
from mmgames.testing.pettingzoo_api import ACCEPTED
from mmgames.testing.playing import sampled, strictly
from mmgames.wrappers import AecClassicLayout, ClassicLayout, ParallelClassicLayout
from tests.environments import begun
from tests.players import Acts
from tests.refusing import refused


def test_an_agent_that_cannot_begin_breaks_the_episode_off() -> None:
    class Unready(Random):
        ready = True

        def begin(self, game: Any, seat: int) -> None:
            if not self.ready:
                raise RuntimeError("no idea")

    agent = Unready()
    env = begun(gymnasium.make("mmgames/TicTacToe-v0", others=agent), 1)
    env.step(0)
    agent.ready = False
    with pytest.raises(RuntimeError, match="no idea"):
        env.reset(seed=1)
    refused(lambda: env.step(1), "broke off when the agent Unready in seat 'o' raised RuntimeError; reset()")
    agent.ready = True
    assert len(play_out(env, seed=1)) > 1


def test_the_global_state_is_for_those_who_ask_for_it_and_never_for_agents_in_other_seats():
    env = mmgames.parallel_env("mmgames/KuhnPoker-v0", observe=("features", "state"))
    observations, _ = env.reset(seed=2)
    both = np.concatenate([observations[role]["features"] for role in env.possible_agents])
    for role, seen in observations.items():
        assert (seen["state"] == both).all() and seen in env.observation_space(role)
    refused(lambda: mmgames.parallel_env("mmgames/KuhnPoker-v0", observe="state"), "the global state alone")

    def look(turn):
        seen.append(set(turn.observation))
        refused(lambda: turn.observe("state"), "observation 'state'")
        return turn.legal[0]

    seen: list[set] = []
    env = begun(gymnasium.make("mmgames/KuhnPoker-v0", seat=1, others=Acts(look), observe=("features", "state")))
    assert seen == [{"features"}]


def test_flat_gives_the_only_key_and_lays_frames_into_channels():
    env = gymnasium.make("mmgames/CoinDilemma-v0", observe="rgb", size=84, frames=4, flat=True)
    dict_env = gymnasium.make("mmgames/CoinDilemma-v0", observe="rgb", size=84, frames=4)
    picture, frames = env.reset(seed=3)[0], dict_env.reset(seed=3)[0]["rgb"]
    picture, frames = env.step(1)[0], dict_env.step(1)[0]["rgb"]
    assert picture in env.observation_space and picture.shape == (52, 84, 12)
    assert all((picture[..., 3 * n : 3 * n + 3] == frames[n]).all() for n in range(4))
    refused(lambda: gymnasium.make("mmgames/CoinDilemma-v0", flat=True), "flat=True gives one observation")
    env = gymnasium.make("mmgames/Hanabi-v0", seat=1, others=Acts(5))  # a card that begins a firework
    for _ in range(2):
        env.reset(seed=1)
        assert env.step(env.unwrapped.action_masks().argmax())[1] == env.unwrapped.live.totals[1] >= 1


TURNS = "mmgames/TicTacToe-v0"
BOTH = ("planes", "action_mask")


@strictly(*ACCEPTED, r".*is different from the unwrapped version")
def test_the_classic_layout_passes_every_kit():
    aec = ClassicLayout(mmgames.aec_env(TURNS, observe=BOTH), key="planes")
    parallel = ClassicLayout(mmgames.parallel_env(TURNS, observe=BOTH), key="planes")
    assert isinstance(aec, AecClassicLayout) and isinstance(parallel, ParallelClassicLayout)
    api_test(sampled(aec), num_cycles=20)
    parallel_api_test(sampled(parallel), num_cycles=20)
    alone = ClassicLayout(gymnasium.make(TURNS, observe=BOTH).unwrapped, key="planes")
    check_env(sampled(alone), skip_render_check=True)


def test_the_classic_layout_has_the_words_of_pettingzoos_board_games():
    env = ClassicLayout(mmgames.aec_env(TURNS, observe=("features", "action_mask")))
    env.reset(seed=0)
    env.step(4)
    seen, *_ = env.last()
    assert set(seen) == {"observation", "action_mask"} and seen in env.observation_space("o")
    assert np.flatnonzero(seen["action_mask"] == 0).tolist() == [4] and seen["observation"][9 + 4] == 1
    named = ClassicLayout(mmgames.parallel_env(TURNS, observe=("features", "action_mask")), name="observations")
    assert set(named.reset(seed=0)[0]["x"]) == {"observations", "action_mask"}
    for make in (gymnasium.make, mmgames.aec_env, mmgames.parallel_env):
        refused(partial(ClassicLayout, make(TURNS, observe="features")), "observes 'features' and 'action_mask'")


@pytest.mark.parametrize("make", [mmgames.aec_env, mmgames.parallel_env])
def test_wrappers_find_the_generator_of_the_game(make):
    env = make("mmgames/CoinDilemma-v0", observe="features")
    refused(lambda: env.state(), "call reset")
    assert isinstance(env.np_random, np.random.Generator)
    env.reset(seed=3)
    assert env.np_random is env.live.rng
