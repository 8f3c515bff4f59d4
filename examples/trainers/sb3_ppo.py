"""Stable-Baselines3's PPO learns CoinDilemma beside a fair partner, 256 episodes at a time.

pip install 'mmgames[train]'
"""

import sys

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy

from mmgames.wrappers.sb3 import BatchedVecEnv


def main(steps: int = 150_000) -> float:
    torch.set_num_threads(1)
    env = BatchedVecEnv("mmgames/CoinDilemma-v0", 256, seat="red", others="common_welfare")
    model = PPO("MlpPolicy", env, n_steps=32, batch_size=2048, n_epochs=4, learning_rate=2e-3, ent_coef=0.01, seed=0)
    before, _ = evaluate_policy(model, env, n_eval_episodes=256)
    model.learn(steps)
    after, _ = evaluate_policy(model, env, n_eval_episodes=256)
    print(f"mean return: {before:.2f} before, {after:.2f} after {model.num_timesteps:,} steps")
    return float(after)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
