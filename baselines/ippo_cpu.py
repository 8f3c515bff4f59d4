"""What IPPO (ippo.py) does otherwise on the CPU: kernels and threads in place of tensors.

Many passes over small rows would cost more than the network does, so three kernels do them in one pass each; and hands,
one for each thread, learn from blocks of rows that stay in the processor's cache. ippo.py says the same with tensors.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.perceptron import Perceptron
from mmgames.core.kernel import kernel

if TYPE_CHECKING:
    from mmgames.baselines.ippo import Batch, Net, Recipe

NO_MASKS = np.zeros((1, 1), np.bool_)


@kernel
def draw_rows(logits, masks, masked, draws, actions, likely):
    """Draw an action for each row by its likelihood, and write down the logarithm of that."""
    width = logits.shape[1]
    for i in range(logits.shape[0]):
        top = np.float32(-1e9)
        for j in range(width):
            if (not masked or masks[i, j]) and logits[i, j] > top:
                top = logits[i, j]
        total = np.float32(0.0)
        for j in range(width):
            if not masked or masks[i, j]:
                total += math.exp(logits[i, j] - top)
        left, chosen = draws[i] * total, -1
        for j in range(width):
            if not masked or masks[i, j]:
                chosen = j
                left -= math.exp(logits[i, j] - top)
                if left < 0:
                    break
        actions[i] = max(chosen, 0)
        likely[i] = logits[i, actions[i]] - top - math.log(total) if total > 0 else np.float32(0.0)


@kernel
def look_back(rewards, values, active, over, gamma, decay, result, known, first, last):
    """Generalised advantages, going back in time through each row; Learner.advantages says the same with tensors."""
    times, _, seats = rewards.shape
    for row in range(first, last):
        for seat in range(seats):
            value, gain, paid = values[times, row, seat], np.float32(0.0), np.float32(0.0)
            sure = active[times, row, seat]
            for time in range(times - 1, -1, -1):
                if over[time + 1, row]:
                    value, gain, paid, sure = np.float32(0.0), np.float32(0.0), np.float32(0.0), True
                paid += rewards[time, row, seat]
                known[time, row, seat] = active[time, row, seat] and sure
                if active[time, row, seat]:
                    here = values[time, row, seat]
                    step = paid + gamma * value - here + decay * gain if sure else np.float32(0.0)
                    result[time, row, seat] = step
                    value, gain, paid, sure = here, step, np.float32(0.0), True


@kernel
def slopes(outputs, masks, masked, facts, clip, value_weight, entropy, share, to_outputs, told):
    """The slopes of the loss of some moves, in one pass over them; `told` sums what `Learner._learn` tells.

    A row of outputs is its logits and its value. `facts` holds for each move the action, its likelihood when it was
    drawn, its advantage and its return; `share` is the weight of a move in the loss.
    """
    width, one = outputs.shape[1] - 1, np.float32(1.0)
    low, high = one - clip, one + clip
    likely, logs = np.zeros(width, np.float32), np.zeros(width, np.float32)
    policy_loss, value_loss, spreads, moved = 0.0, 0.0, 0.0, 0.0
    for i in range(outputs.shape[0]):
        action, before, gain, aim = np.int64(facts[i, 0]), facts[i, 1], facts[i, 2], facts[i, 3]
        top, total, spread = np.float32(-1e9), np.float32(0.0), np.float32(0.0)
        for j in range(width):
            if (not masked or masks[i, j]) and outputs[i, j] > top:
                top = outputs[i, j]
        for j in range(width):
            likely[j] = 0.0
            if not masked or masks[i, j]:
                likely[j] = math.exp(outputs[i, j] - top)
                total += likely[j]
        log_total = np.float32(math.log(total))
        for j in range(width):
            likely[j] /= total
            logs[j] = outputs[i, j] - top - log_total
            if likely[j] > 0:
                spread -= likely[j] * logs[j]
        change = logs[action] - before
        ratio = np.float32(math.exp(change))
        beyond = ratio > high if gain > 0 else ratio < low
        slope = np.float32(0.0) if beyond else -gain * ratio * share
        for j in range(width):
            to_outputs[i, j] = 0.0
            if likely[j] > 0:
                to_outputs[i, j] = likely[j] * (share * entropy * (logs[j] + spread) - slope)
        to_outputs[i, action] += slope
        miss = outputs[i, width] - aim
        to_outputs[i, width] = np.float32(2.0) * value_weight * miss * share
        policy_loss -= min(ratio * gain, min(max(ratio, low), high) * gain)
        value_loss += miss * miss
        spreads += spread
        moved += ratio - one - change
    told[0] += policy_loss * share
    told[1] += value_loss * share
    told[2] += spreads * share
    told[3] += moved * share


class Hand:
    """One thread's part of the work on the CPU: a block of rows forwards, and backwards from the slopes of the loss."""

    def __init__(self, net: Net, recipe: Recipe) -> None:
        self.net, self.parameters = net, list(net.parameters())
        layers = [part for part in net.encoder if not isinstance(part, (nn.ReLU, nn.Tanh))]
        plain = net.valuer is None and all(isinstance(part, nn.Linear) for part in layers)
        self.rows = 2048 if plain else 16384  # of a block
        self.plain = Perceptron(layers, (net.actor, net.critic), recipe.activation, self.rows) if plain else None  # type: ignore[arg-type]
        self.sums = [] if plain else [torch.zeros_like(parameter) for parameter in self.parameters]
        self.told = np.zeros(4)

    def begin(self) -> None:
        """Before a pass: several hands are at work, so PyTorch is to start no threads of its own for each."""
        if torch.get_num_threads() != 1:
            torch.set_num_threads(1)
        if self.plain is not None:
            self.plain.begin()
        for part in self.sums:
            part.zero_()

    @torch.no_grad()
    def act(self, seen: Tensor, all_seen: Tensor, masks: Tensor | None, draws: Tensor, *made: Tensor) -> None:
        """Write actions, their likelihoods and values into what is to be `made`."""
        self.begin()
        for first in range(0, len(seen), self.rows):
            part = slice(first, first + self.rows)
            if self.plain is not None:
                both = self.plain.forward(seen[part])
                logits, value = both[:, :-1], both[:, -1]
            else:
                logits, value, _ = self.net(seen[part], all_seen[part], None)
            actions, likely, values = (array[part] for array in made)
            values.copy_(value)
            legal = NO_MASKS if masks is None else masks[part].numpy()
            draw_rows(logits.numpy(), legal, masks is not None, draws[part].numpy(), actions.numpy(), likely.numpy())

    def learn(self, data: Batch, facts: Tensor, which: Tensor, weights: tuple[np.float32, ...]) -> None:
        """Sum up the gradients of some moves' loss."""
        self.begin()
        for part in which.split(self.rows):
            seen = data.seen.index_select(0, part)
            masks = NO_MASKS if data.masks is None else data.masks.index_select(0, part).numpy()
            given = (masks, data.masks is not None, facts.index_select(0, part).numpy(), *weights)
            if self.plain is not None:
                outputs, up = self.plain.forward(seen), self.plain.slopes[: len(part)]
                slopes(outputs.numpy(), *given, up.numpy(), self.told)
                self.plain.backward(seen, up)
                continue
            every = seen if data.all_seen is data.seen else data.all_seen.index_select(0, part)
            logits, values, _ = self.net(seen, every, None)
            outputs = torch.cat((logits, values[:, None]), 1)
            up = torch.empty_like(outputs)
            slopes(outputs.detach().numpy(), *given, up.numpy(), self.told)
            found = torch.autograd.grad(outputs, self.parameters, up)
            for whole, gradient in zip(self.sums, found, strict=True):
                whole += gradient

    def gradients(self) -> list[Tensor]:
        return self.sums if self.plain is None else self.plain.gradients()


@contextlib.contextmanager
def threads_kept() -> Iterator[None]:
    """Hands leave PyTorch one thread each; afterwards it has as many as before."""
    before = torch.get_num_threads()
    try:
        yield
    finally:
        if torch.get_num_threads() != before:
            torch.set_num_threads(before)
