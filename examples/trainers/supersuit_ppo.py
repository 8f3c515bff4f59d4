"""SuperSuit turns the parallel environment into a VecEnv; Stable-Baselines3's PPO trains one policy for both players.

pip install 'mmgames[train]' supersuit. `mmgames.wrappers.sb3.BatchedVecEnv` does the same with compiled rules.
"""

import sys

import supersuit
import torch
from stable_baselines3 import PPO

import mmgames


def main(updates: int = 10) -> int:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    env = mmgames.parallel_env("mmgames/MonsterHunt-v0", observe="features", flat=True)
    env = supersuit.frame_stack_v1(supersuit.agent_indicator_v0(env), 2)
    rows = supersuit.pettingzoo_env_to_vec_env_v1(env)
    rows = supersuit.concat_vec_envs_v1(rows, 4, num_cpus=0, base_class="stable_baselines3")
    model = PPO("MlpPolicy", rows, n_steps=64, batch_size=128, n_epochs=2)
    model.learn(updates * 64 * rows.num_envs)
    print(f"{model.num_timesteps:,} steps of observations {rows.observation_space.shape}")
    return model.num_timesteps


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
