"""TorchRL: PPO on 64 episodes of CoinDilemma at once, with a loss module, advantages and a collector of its own.

pip install mmgames torchrl
"""

import sys

import gymnasium as gym
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.modules import MLP, OneHotCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import mmgames  # noqa: F401 - registers the games


def main(updates: int = 40) -> float:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    # TorchRL resets rows itself, so ours do not.
    rows = gym.make_vec(
        "mmgames/CoinDilemma-v0", num_envs=64, others="common_welfare", observe="features", flat=True,
        autoreset_mode="Disabled",
    )  # fmt: skip
    env = GymWrapper(rows)
    env.set_seed(0)
    seen, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    net = TensorDictModule(MLP(seen, actions, num_cells=[64, 64]), ["observation"], ["logits"])
    actor = ProbabilisticActor(
        net, in_keys=["logits"], spec=env.action_spec, distribution_class=OneHotCategorical, return_log_prob=True
    )
    critic = ValueOperator(MLP(seen, 1, num_cells=[64, 64]), in_keys=["observation"])
    collector = Collector(env, actor, frames_per_batch=64 * 50, total_frames=64 * 50 * updates)
    advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimiser, mean = torch.optim.Adam(loss.parameters(), lr=2e-3), []
    for batch in collector:
        mean.append(batch["next", "reward"].mean().item() * 50)
        for _ in range(4):
            advantage(batch)
            losses = loss(batch.reshape(-1))
            optimiser.zero_grad()
            sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
            optimiser.step()
    collector.shutdown()
    print(f"mean return: {mean[0]:.2f} in the first batch, {mean[-1]:.2f} in the last of {updates}")
    return mean[-1]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
