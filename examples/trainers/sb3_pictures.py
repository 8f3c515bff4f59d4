"""PPO with Stable-Baselines3's own CNN on batched pictures: one policy for both seats of CoinDilemma, ten updates.

The last four pictures of a single environment are `gym.make(id, observe="rgb", size=84, frames=4, flat=True)`: they are
laid into the channels, as image networks want them.
"""

import sys

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.torch_layers import NatureCNN

from mmgames.wrappers.sb3 import BatchedVecEnv


def main(updates: int = 10) -> int:
    torch.set_num_threads(1)
    env = BatchedVecEnv("mmgames/CoinDilemma-v0", 16, observe="rgb", size=84)
    model = PPO("CnnPolicy", env, n_steps=8, batch_size=128, n_epochs=1, seed=0)
    assert isinstance(model.policy.features_extractor, NatureCNN)
    model.learn(updates * 8 * env.num_envs)
    print(f"{model.num_timesteps:,} pictures of shape {env.observation_space.shape}")
    return model.num_timesteps


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
