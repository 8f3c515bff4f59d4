"""RLlib: PPO plays both sides of TicTacToe with one policy; RLlib's own masking module keeps to the legal moves.

pip install mmgames 'ray[rllib]' torch
"""

import sys

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import mmgames
from mmgames.wrappers import ClassicLayout

ID = "mmgames/TicTacToe-v0"


def table(_: object) -> PettingZooEnv:
    env = mmgames.aec_env(ID, observe=("features", "action_mask"))
    return PettingZooEnv(ClassicLayout(env, name="observations"))  # as the masking module calls them


def main(updates: int = 10) -> int:
    torch.set_num_threads(1)
    register_env(ID, table)
    masked = RLModuleSpec(ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64], "fcnet_activation": "relu"})
    config = (
        PPOConfig()
        .environment(ID)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda *_, **__: "both")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": masked}))
        .training(train_batch_size_per_learner=200, minibatch_size=64, num_epochs=2)
        .debugging(seed=0)
    )
    algorithm = config.build_algo()
    for _ in range(updates):
        told = algorithm.train()["env_runners"]
    moves = told["episode_len_mean"]
    print(f"{algorithm.iteration} updates; a game has {moves:.1f} moves")
    algorithm.stop()
    assert moves >= 5, "with illegal moves games would end sooner"
    return algorithm.iteration


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
