"""What trainers' libraries demand of environments: their own checks and wrappers, without a word of protest."""

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("torchrl")
pytest.importorskip("supersuit")

import supersuit
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.torch_layers import NatureCNN
from torchrl.envs import ActionMask, GymEnv, GymWrapper, PettingZooWrapper, TransformedEnv
from torchrl.envs.utils import check_env_specs

import mmgames
from mmgames.testing.playing import strictly
from mmgames.wrappers.sb3 import BatchedVecEnv
from tests.refusing import refused

COIN, TURNS = "mmgames/CoinDilemma-v0", "mmgames/TicTacToe-v0"


@pytest.mark.parametrize("how", [{"observe": "features"}, {"observe": "rgb", "size": 84, "frames": 4}])
def test_flat_environments_pass_the_checker_of_stable_baselines(how: dict[str, Any]) -> None:
    with strictly():
        check_env(gymnasium.make(COIN, flat=True, **how).unwrapped)


def test_supersuits_picture_wrappers_take_flat_pictures_which_stable_baselines_sees_as_images() -> None:
    env = gymnasium.make(COIN, observe="rgb", size=84, frames=4, flat=True)
    model = PPO("CnnPolicy", env, n_steps=8)
    assert isinstance(model.policy.features_extractor, NatureCNN)
    assert model.observation_space.shape == (12, 52, 84)
    env = mmgames.parallel_env(COIN, observe="rgb", size=84, flat=True)
    assert played(supersuit.resize_v1(supersuit.color_reduction_v0(env, "full"), 42, 42)) == (42, 42)


def test_the_vec_env_tells_of_ends_and_masks() -> None:
    env = BatchedVecEnv(TURNS, 6, seat="o", others="random", observe=("features", "action_mask"))
    assert is_masking_supported(env)
    env.seed(3)
    observation, ends, rng = env.reset(), 0, np.random.default_rng(0)
    for _ in range(40):
        masks = get_action_masks(env)
        assert (masks == observation["action_mask"].astype(bool)).all() and masks.any(axis=1).all()
        observation, rewards, over, infos = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        for row in np.flatnonzero(over):
            ends += 1
            last, told = infos[row]["terminal_observation"], infos[row]["episode"]
            assert told["r"] == rewards[row] and 2 <= told["l"] <= 4 and not infos[row]["TimeLimit.truncated"]
            assert last["features"].sum() > observation["features"][row].sum() - 9
            assert not (last["features"] == observation["features"][row]).all()
        assert all(not infos[row] for row in np.flatnonzero(~over))
    assert ends > 20
    refused(lambda: BatchedVecEnv(TURNS, 2), "its seats take turns, so name the one that learns")
    refused(lambda: BatchedVecEnv(COIN, 2, copy=False), "copy= is settled by what Stable-Baselines3 needs")
    refused(lambda: BatchedVecEnv(COIN, 2, observe=("features", "state")), "must not be shown the global state")


def test_every_seat_is_a_row_of_the_vec_env_and_unknown_options_are_type_errors() -> None:
    env, rows = BatchedVecEnv(COIN, 3, max_steps=2), mmgames.vector_env(COIN, 3, max_steps=2)
    env.seed(5)
    assert (env.reset().reshape(3, 2, -1) == rows.reset(seed=5)[0]["features"]).all()
    for number in range(2):
        actions = np.arange(6) % 5
        _, rewards, over, infos = env.step(actions)
        seen, paid, *_ = rows.step(actions.reshape(3, 2))
        assert (rewards.reshape(3, 2) == paid).all() and over.all() == over.any() == (number == 1)
    last = np.stack([info["terminal_observation"] for info in infos])
    assert (last.reshape(3, 2, -1) == seen["features"]).all() and all(info["TimeLimit.truncated"] for info in infos)
    for make in (gymnasium.make, mmgames.parallel_env, mmgames.aec_env):
        with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
            make(COIN, frameskip=4)


@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_torchrl_takes_vectorised_rows(mode: str) -> None:
    env = GymWrapper(gymnasium.make_vec(COIN, num_envs=4, observe="features", flat=True, autoreset_mode=mode))
    check_env_specs(env)
    assert env.rollout(60, break_when_any_done=False).shape == (4, 60)


def test_torchrl_takes_single_environments_with_masks_and_both_pettingzoo_faces() -> None:
    env = GymEnv(TURNS, observe=("features", "action_mask"), categorical_action_encoding=True)
    check_env_specs(env)
    played = TransformedEnv(env, ActionMask()).rollout(50)
    assert played["next", "reward"].min() >= -1 and played["next", "done"][-1]
    env = PettingZooWrapper(mmgames.parallel_env(COIN, observe=("features", "action_mask")), return_state=True)
    check_env_specs(env)
    assert env.rollout(5)["state"].shape == (5, 30)
    turns = PettingZooWrapper(mmgames.aec_env(TURNS, observe=("features", "action_mask")), use_mask=True)
    check_env_specs(turns)
    assert turns.rollout(5).shape == (5,)


def played(env: Any) -> Any:
    observations, _ = env.reset(seed=1)
    for _ in range(20):
        observations, *_ = env.step({role: env.action_space(role).sample() for role in env.agents})
    return observations["red"].shape


SUPERSUIT: dict[str, tuple[Any, tuple[int, ...]]] = {
    "frame_stack": (lambda env: supersuit.frame_stack_v1(env, 4), (60,)),
    "frame_skip": (lambda env: supersuit.frame_skip_v0(env, (1, 2)), (15,)),  # it draws from the env's np_random
    "sticky_actions": (lambda env: supersuit.sticky_actions_v0(env, 0.25), (15,)),
    "agent_indicator": (supersuit.agent_indicator_v0, (17,)),
    "dtype": (lambda env: supersuit.dtype_v0(env, np.float64), (15,)),
    "reward_lambda": (lambda env: supersuit.reward_lambda_v0(env, lambda reward: reward / 2), (15,)),
    "pad": (lambda env: supersuit.pad_observations_v0(supersuit.pad_action_space_v0(env)), (15,)),
    "max_observation": (lambda env: supersuit.max_observation_v0(env, 2), (15,)),
    "delay_observations": (lambda env: supersuit.delay_observations_v0(env, 2), (15,)),
    "nan_noop": (lambda env: supersuit.nan_noop_v0(env, 0), (15,)),
}


@pytest.mark.parametrize("name", SUPERSUIT)
def test_supersuits_wrappers_take_flat_environments(name: str) -> None:
    wrap, shape = SUPERSUIT[name]
    assert played(wrap(mmgames.parallel_env(COIN, observe="features", flat=True))) == shape
