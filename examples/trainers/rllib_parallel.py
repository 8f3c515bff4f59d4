"""RLlib: PPO with a policy for each player of CoinDilemma, which move at the same time.

pip install mmgames 'ray[rllib]' torch
"""

import sys

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env

import mmgames

ID = "mmgames/CoinDilemma-v0"


def main(updates: int = 10) -> int:
    torch.set_num_threads(1)
    register_env(ID, lambda _: ParallelPettingZooEnv(mmgames.parallel_env(ID, observe="features", flat=True)))
    config = (
        PPOConfig()
        .environment(ID)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .multi_agent(policies={"red", "blue"}, policy_mapping_fn=lambda agent, *_, **__: agent)
        .training(train_batch_size_per_learner=100, minibatch_size=100, num_epochs=2)
        .debugging(seed=0)
    )
    algorithm = config.build_algo()
    for _ in range(updates):
        told = algorithm.train()["env_runners"]
    print(f"{algorithm.iteration} updates; an episode has {told['episode_len_mean']:.0f} steps")
    algorithm.stop()
    return algorithm.iteration


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
