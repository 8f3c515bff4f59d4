"""What IPPO (ippo.py) does on a CPU, in less time: each thread takes a share of the rows.

PyTorch's own threads wait for each other after every operation; these meet once. The gradient of the loss by what a
network gives is one pass over the rows, where autograd writes and reads an array for every operation; autograd takes it
on from there through the layers. tests/trainers/test_ippo.py holds the gradients against those of `ppo_loss`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mmgames.baselines.learning.torch_devices import set_torch_threads, torch_threads
from mmgames.kernels.kernel import kernel
from mmgames.kernels.threads import Threads

ROWS_PER_THREAD = 512  # fewer rows than this are not worth another thread
BLOCK_ROWS = 8192  # what autograd keeps of so many rows at a time is not too much for a cache
NO_MASK = np.zeros((0, 0), np.bool_)


def accelerate(policy_step: Callable[..., Any], gradients: Callable[..., Any], net: Any, threads: Threads) -> Any:
    """The two functions of a learner, made faster; with a recurrent core or box actions the second one stays."""
    plain = net.core is None and net.log_deviation is None
    return RowThreads(policy_step, threads), ThreadedGradients(net, threads) if plain else gradients


class RowThreads:
    """A function of rows: each thread of the environment takes a share of them, and one of PyTorch's."""

    def __init__(self, function: Callable[..., tuple[Tensor | None, ...]], threads: Threads) -> None:
        self.function, self.threads, self.most = function, threads, min(torch.get_num_threads(), threads.most)

    def __call__(self, *inputs: Tensor | None) -> Any:
        rows = max(len(given) for given in inputs if given is not None)
        count = max(1, min(self.most, rows // ROWS_PER_THREAD))
        cut = [[None] * count if given is None else given.tensor_split(count) for given in inputs]
        outputs: list[tuple[Tensor | None, ...]] = [()] * count

        def work(number: int, *share: Tensor | None) -> None:
            set_torch_threads(1)  # a setting of each thread
            outputs[number] = self.function(*share)

        tasks = [functools.partial(work, number, *share) for number, *share in zip(range(count), *cut, strict=True)]
        self.threads.run_all(tasks)
        return [None if parts[0] is None else torch.cat(parts) for parts in zip(*outputs, strict=True)]


class ThreadedGradients:
    """Does what `Learner.gradients` does, for flat rollouts of games whose actions are choices."""

    def __init__(self, net: Any, threads: Threads) -> None:
        self.net, self.threads, self.most = net, threads, max(1, min(torch.get_num_threads(), threads.most))

    def __call__(self, rollout: dict[str, Tensor], minibatch: Tensor, *weights: float) -> Tensor:
        row_weights = np.array((*weights, 1 / max(1, len(minibatch))), np.float32)
        shares = minibatch.chunk(self.most)
        sums = [[torch.zeros_like(part) for part in self.net.parameters()] for _ in shares]
        logged, add = np.zeros((len(shares), 4)), functools.partial(self._add, rollout, row_weights)
        with torch_threads(1):
            self.threads.run_all([functools.partial(add, *share) for share in zip(shares, sums, logged, strict=True)])
        for parameter, *parts in zip(self.net.parameters(), *sums, strict=True):
            parameter.grad = functools.reduce(torch.add, parts)
        return torch.from_numpy(logged.sum(0)).float()

    def _add(
        self, rollout: dict[str, Tensor], weights: np.ndarray, rows: Tensor, sums: list[Tensor], logged: np.ndarray
    ) -> None:
        """Add up the gradients, and what the loss logs, over some rows of the rollout."""
        set_torch_threads(1)  # a setting of each thread
        for block in rows.split(BLOCK_ROWS):
            part = {name: column.index_select(0, block) for name, column in rollout.items() if name != "valid"}
            logits, values, _ = self.net(part["observation"], part.get("critic_observation", part["observation"]), None)
            outputs = torch.cat((logits, values[:, None]), 1)
            gradient, mask = (
                torch.empty_like(outputs),
                part["action_mask"].numpy() if "action_mask" in part else NO_MASK,
            )
            columns = (part[name].numpy() for name in ("action", "log_prob", "advantage", "returns"))
            loss_gradient(outputs.detach().numpy(), mask, *columns, weights, gradient.numpy(), logged)
            for total, more in zip(sums, torch.autograd.grad(outputs, [*self.net.parameters()], gradient), strict=True):
                total += more


@kernel
def loss_gradient(outputs, action_mask, action, old_log_prob, advantage, returns, weights, output_gradient, logged):
    """The derivative of `ppo_loss` (ippo.py) by a network's outputs; `logged` adds up what the loss logs.

    A row of outputs is the logits and the value of one move. `action_mask` has no rows where every action is legal.
    `weights` are the clip, the weights of value loss and entropy, and that of one row: 1 / rows of the minibatch.
    """
    actions, masked, one = outputs.shape[1] - 1, len(action_mask) > 0, np.float32(1.0)
    clip, value_weight, entropy_weight, row_weight = weights
    low, high = one - clip, one + clip
    prob, log_prob = np.zeros(actions, np.float32), np.zeros(actions, np.float32)
    policy_loss, value_loss, entropy_sum, divergence = 0.0, 0.0, 0.0, 0.0
    for i in range(outputs.shape[0]):
        largest, total, entropy = np.float32(-1e9), np.float32(0.0), np.float32(0.0)
        for j in range(actions):
            if (not masked or action_mask[i, j]) and outputs[i, j] > largest:
                largest = outputs[i, j]
        for j in range(actions):
            prob[j] = 0.0
            if not masked or action_mask[i, j]:
                prob[j] = math.exp(outputs[i, j] - largest)
                total += prob[j]
        log_total = np.float32(math.log(total))
        for j in range(actions):
            prob[j] /= total
            log_prob[j] = outputs[i, j] - largest - log_total
            if prob[j] > 0:
                entropy -= prob[j] * log_prob[j]
        log_ratio = log_prob[action[i]] - old_log_prob[i]
        ratio = np.float32(math.exp(log_ratio))
        clipped = ratio > high if advantage[i] > 0 else ratio < low
        # By the action's log-probability; that of a clipped ratio is 0.
        policy_gradient = np.float32(0.0) if clipped else -advantage[i] * ratio * row_weight
        for j in range(actions):
            output_gradient[i, j] = 0.0
            if prob[j] > 0:
                entropy_gradient = row_weight * entropy_weight * (log_prob[j] + entropy)
                output_gradient[i, j] = prob[j] * (entropy_gradient - policy_gradient)
        output_gradient[i, action[i]] += policy_gradient
        error = outputs[i, actions] - returns[i]
        output_gradient[i, actions] = np.float32(2.0) * value_weight * error * row_weight
        policy_loss -= min(ratio * advantage[i], min(max(ratio, low), high) * advantage[i])
        value_loss += error * error
        entropy_sum += float(entropy)
        divergence += ratio - one - log_ratio
    logged[0] += policy_loss * row_weight
    logged[1] += value_loss * row_weight
    logged[2] += entropy_sum * row_weight
    logged[3] += divergence * row_weight
