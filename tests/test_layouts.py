"""Observations as other libraries lay them out."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

import mmgames
from mmgames.errors import MmgamesError
from mmgames.testing.pettingzoo_api import ACCEPTED
from mmgames.testing.playing import strictly
from mmgames.wrappers import AecClassicLayout, ClassicLayout, ParallelClassicLayout
from tests.refusing import refused

TURNS = "mmgames/TicTacToe-v0"
BOTH = ("planes", "action_mask")


@strictly(*ACCEPTED, r".*is different from the unwrapped version")
def test_the_classic_layout_passes_every_kit():
    aec = ClassicLayout(mmgames.aec_env(TURNS, observe=BOTH), key="planes")
    parallel = ClassicLayout(mmgames.parallel_env(TURNS, observe=BOTH), key="planes")
    assert isinstance(aec, AecClassicLayout) and isinstance(parallel, ParallelClassicLayout)
    api_test(aec, num_cycles=20)
    parallel_api_test(parallel, num_cycles=20)
    check_env(ClassicLayout(gymnasium.make(TURNS, observe=BOTH).unwrapped, key="planes"), skip_render_check=True)


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
        with pytest.raises(MmgamesError, match="observes 'features' and 'action_mask'"):
            ClassicLayout(make(TURNS, observe="features"))


@pytest.mark.parametrize("make", [mmgames.aec_env, mmgames.parallel_env])
def test_wrappers_find_the_generator_of_the_game(make):
    env = make("mmgames/CoinDilemma-v0", observe="features")
    refused(lambda: env.state(), "call reset")
    assert isinstance(env.np_random, np.random.Generator)
    env.reset(seed=3)
    assert env.np_random is env.live.rng
