"""The loop every reinforcement learner has, with a random learner: features in, one discrete action out.

`env.action_masks()` is where MaskablePPO looks for the legal actions; here we draw from the mask ourselves.
"""

import gymnasium as gym

import mmgames  # noqa: F401 - importing it registers the environments

env = gym.make("mmgames/CoinDilemma-v0", seat="red", others="self_interest", observe=("features", "action_mask"))
env.action_space.seed(0)
observation, info = env.reset(seed=0)
total, over = 0.0, False
while not over:
    action = env.action_space.sample(mask=observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    total += reward
    over = terminated or truncated
print(f"{observation['features'].shape[0]} features, {env.action_space.n} actions, return {total:g}")
