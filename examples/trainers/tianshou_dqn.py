"""tianshou: DQN plays X of TicTacToe, at first at random, against a random O; both sit at one PettingZoo table.

pip install mmgames tianshou
"""

import sys

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import mmgames
from mmgames.wrappers import ClassicLayout


def table() -> PettingZooEnv:
    env = mmgames.aec_env("mmgames/TicTacToe-v0", observe=("features", "action_mask"))
    return PettingZooEnv(ClassicLayout(env))


def main(epochs: int = 2) -> float:
    torch.set_num_threads(1)
    np.random.seed(0)  # noqa: NPY002 - tianshou explores with it
    torch.manual_seed(0)
    env = table()
    seen = env.observation_space["observation"]
    net = Net(state_shape=seen.shape, action_shape=env.action_space.n, hidden_sizes=[64, 64])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=seen, eps_training=0.2, eps_inference=0.0
    )
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.95, target_update_freq=200)
    both = MultiAgentOffPolicyAlgorithm(
        algorithms=[learner, MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)], env=env
    )
    training, testing = (DummyVectorEnv([table] * 8) for _ in range(2))
    training.seed(0)
    testing.seed(1)
    collector = Collector(both, training, VectorReplayBuffer(20_000, 8), exploration_noise=True)
    test_collector = Collector(both, testing)
    test_collector.reset()
    collector.reset()
    collector.collect(n_step=1_000)
    result = both.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            test_collector=test_collector,
            max_epochs=epochs,
            epoch_num_steps=2_000,
            collection_step_num_env_steps=80,
            test_step_num_episodes=100,
            batch_size=64,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda rewards: rewards[:, 0],
            verbose=False,
            show_progress=False,
        )
    )
    print(f"best mean result of X: {result.best_score:+.2f} after {epochs} epochs")
    return float(result.best_score)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
