"""The gradient of `ppo_loss` on the CPU, for networks of linear layers: the numbers of autograd in half the time.

Autograd writes an array as long as the minibatch for every operation and reads it again from main memory. Here each
thread takes blocks of rows forward, through the loss and backward in arrays that are used again and stay in the
processor's cache. ppo_loss.py holds the loss that is meant; tests/trainers/test_ippo.py compares the two.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning.ippo_network import Net
from mmgames.baselines.learning.ppo_loss import Batch
from mmgames.baselines.learning.torch_devices import set_torch_threads, torch_threads
from mmgames.kernels.kernel import kernel
from mmgames.kernels.threads import Threads

BLOCK_ROWS = 2048
NO_MASK = np.zeros((0, 0), np.bool_)


@kernel
def loss_gradient(outputs, action_mask, action, old_log_prob, advantage, returns, weights, output_gradient, logged):
    """The derivative of `ppo_loss` by a network's outputs; `logged` adds up what the loss logs.

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


@kernel
def add_bias_and_rectify(rows, bias):
    """The bias and the activation of a layer, in place."""
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            rows[i, j] = max(rows[i, j] + bias[j], np.float32(0.0))


@kernel
def activation_gradient(gradient, activated, tanh, bias_gradient):
    """The derivative by an activation's output -> that by its input, in place; `bias_gradient` adds up its rows."""
    for i in range(gradient.shape[0]):
        if tanh:
            for j in range(gradient.shape[1]):
                gradient[i, j] *= np.float32(1.0) - activated[i, j] * activated[i, j]
        else:
            for j in range(gradient.shape[1]):
                gradient[i, j] = gradient[i, j] if activated[i, j] > 0 else np.float32(0.0)
        for j in range(gradient.shape[1]):
            bias_gradient[j] += gradient[i, j]


class LinearStack:
    """Linear layers with an activation after each, and heads that see the last of them, in arrays for one block."""

    def __init__(self, layers: Sequence[nn.Linear], heads: Sequence[nn.Linear], tanh: bool) -> None:
        self.layers, self.heads, self.tanh = layers, heads, tanh
        self.head = nn.Linear(layers[-1].out_features, sum(head.out_features for head in heads))  # side by side
        self.hidden = [torch.empty(BLOCK_ROWS, layer.out_features) for layer in layers]
        self.hidden_gradient = [torch.empty_like(hidden) for hidden in self.hidden]
        self.outputs = torch.empty(BLOCK_ROWS, self.head.out_features)
        self.transposed = [torch.empty(part.in_features, part.out_features) for part in (*layers, self.head)]
        self.sums = [(torch.zeros_like(part.weight), torch.zeros_like(part.bias)) for part in (*layers, self.head)]

    @torch.no_grad()
    def begin(self) -> None:
        """Take up the weights, which may have changed, and set all gradients to 0."""
        torch.cat([head.weight for head in self.heads], out=self.head.weight)
        torch.cat([head.bias for head in self.heads], out=self.head.bias)
        for part, transposed, sums in zip((*self.layers, self.head), self.transposed, self.sums, strict=True):
            transposed.copy_(part.weight.t())
            for gradient in sums:
                gradient.zero_()

    @torch.no_grad()
    def forward(self, inputs: Tensor) -> Tensor:
        """The outputs of the heads, side by side; the next block overwrites them."""
        x, rows = inputs, len(inputs)
        for layer, transposed, hidden in zip(self.layers, self.transposed, self.hidden, strict=False):
            x = torch.mm(x, transposed, out=hidden[:rows])
            if self.tanh:  # PyTorch's takes many at once, a loop one after the other
                x.add_(layer.bias).tanh_()
            else:
                add_bias_and_rectify(x.numpy(), layer.bias.detach().numpy())
        return torch.addmm(self.head.bias, x, self.transposed[-1], out=self.outputs[:rows])

    @torch.no_grad()
    def backward(self, inputs: Tensor, gradient: Tensor) -> None:
        """Add up the parameters' gradients, from that of the outputs of the block that went forward last."""
        rows, parts = len(inputs), (*self.layers, self.head)
        activated = [inputs, *(hidden[:rows] for hidden in self.hidden)]
        self.sums[-1][1].add_(gradient.sum(0))
        for place in range(len(parts) - 1, -1, -1):
            self.sums[place][0].addmm_(gradient.t(), activated[place])
            if place:
                gradient = torch.mm(gradient, parts[place].weight, out=self.hidden_gradient[place - 1][:rows])
                activation_gradient(
                    gradient.numpy(), activated[place].numpy(), self.tanh, self.sums[place - 1][1].numpy()
                )

    def gradients(self) -> list[Tensor]:
        """Of the weight and the bias of each layer, then of each head."""
        *layers, (weight, bias) = self.sums
        sizes = [head.out_features for head in self.heads]
        heads = zip(weight.split(sizes), bias.split(sizes), strict=True)
        return [gradient for pair in (*layers, *heads) for gradient in pair]


class ThreadGradient:
    """The gradient over one thread's share of a minibatch; a value with layers of its own is a second stack."""

    def __init__(self, net: Net) -> None:
        tanh = any(isinstance(part, nn.Tanh) for part in net.encoder)
        layers = [[part for part in parts if isinstance(part, nn.Linear)] for parts in (net.encoder, net.valuer or ())]
        heads = ([net.actor, net.critic],) if net.valuer is None else ([net.actor], [net.critic])
        self.stacks = [LinearStack(*part, tanh) for part in zip(layers, heads, strict=False)]
        self.outputs = torch.empty(BLOCK_ROWS, net.actor.out_features + 1)
        self.output_gradient = torch.empty_like(self.outputs)
        self.logged = np.zeros(4)

    def run(self, rollout: Batch, rows: Tensor, weights: np.ndarray) -> None:
        """Add up the gradients, and what the loss logs, over some rows of the rollout."""
        set_torch_threads(1)  # a setting of each thread
        self.logged[:] = 0.0
        for stack in self.stacks:
            stack.begin()
        for block in rows.split(BLOCK_ROWS):
            inputs = [rollout.observation.index_select(0, block)]
            if len(self.stacks) > 1:
                central = rollout.critic_observation is not rollout.observation
                inputs.append(rollout.critic_observation.index_select(0, block) if central else inputs[0])
            outputs = [stack.forward(part) for stack, part in zip(self.stacks, inputs, strict=True)]
            both = outputs[0] if len(outputs) == 1 else torch.cat(outputs, 1, out=self.outputs[: len(block)])
            mask = NO_MASK if rollout.action_mask is None else rollout.action_mask.index_select(0, block).numpy()
            moves = (rollout.action, rollout.log_prob, rollout.advantage, rollout.returns)
            gradient = self.output_gradient[: len(block)]
            columns = (column.index_select(0, block).numpy() for column in moves)
            loss_gradient(both.numpy(), mask, *columns, weights, gradient.numpy(), self.logged)
            parts = gradient.split([part.shape[1] for part in outputs], 1)
            for stack, given, part in zip(self.stacks, inputs, parts, strict=True):
                stack.backward(given, part)

    def gradients(self) -> list[Tensor]:
        """In the order of the network's parameters."""
        return [gradient for stack in self.stacks for gradient in stack.gradients()]


class FusedCpuUpdate:
    """Does what `Learner.autograd_update` does, for flat rollouts and the networks that `supports` names."""

    def __init__(self, net: Net, threads: Threads) -> None:
        self.net, self.threads = net, threads
        self.thread_gradients = [ThreadGradient(net) for _ in range(max(1, min(torch.get_num_threads(), threads.most)))]

    @staticmethod
    def supports(net: Net) -> bool:
        """Whether a network is linear layers and activations alone, for a game whose actions are choices."""
        parts, plain = [*net.encoder, *(net.valuer or ())], net.core is None and net.log_deviation is None
        return plain and all(isinstance(part, (nn.Linear, nn.ReLU, nn.Tanh)) for part in parts)

    def __call__(
        self, rollout: Batch, minibatch: Tensor, clip: float, value_weight: float, entropy_weight: float
    ) -> Tensor:
        weights = np.array((clip, value_weight, entropy_weight, 1 / max(1, len(minibatch))), np.float32)
        shares = minibatch.chunk(len(self.thread_gradients))
        busy = self.thread_gradients[: len(shares)]
        tasks = [functools.partial(one.run, rollout, share, weights) for one, share in zip(busy, shares, strict=True)]
        with torch_threads(1):
            self.threads.run_all(tasks)
        for parameter, *parts in zip(self.net.parameters(), *(one.gradients() for one in busy), strict=True):
            parameter.grad = functools.reduce(torch.add, parts)
        return torch.from_numpy(sum(one.logged for one in busy)).float()
