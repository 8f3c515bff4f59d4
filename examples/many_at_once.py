"""Thousands of episodes at once, all seats, stepped by the game's compiled kernel."""

import time

import numpy as np

import mmgames

STEPS = 200
env = mmgames.vector_env("mmgames/CoinDilemma-v0", num_envs=4096)
rng = np.random.default_rng(0)
observation, info = env.reset(seed=0)
paid = np.zeros(len(env.seats))
env.step(np.zeros((env.num_envs, len(env.seats)), int))  # the first step loads the compiled kernel
begun = time.perf_counter()
for _ in range(STEPS):
    actions = rng.integers(env.single_action_space.n, size=(env.num_envs, len(env.seats)))
    observation, rewards, terminated, truncated, info = env.step(actions)
    paid += rewards.mean(axis=0)
seconds = time.perf_counter() - begun
print(f"features {observation['features'].shape}, {STEPS * env.num_envs / seconds:,.0f} steps a second")
print("mean reward of random play:", dict(zip(env.seats, (paid / STEPS).round(4).tolist(), strict=True)))
env.close()
