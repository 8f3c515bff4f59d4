"""Forwards and backwards through the layers of a small network on the CPU, a block of rows at a time.

Autograd says the same with new arrays for every step, which are written to main memory and read again. Here a block's
arrays are used again and stay in the processor's cache, and several threads work on blocks of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.core.kernel import kernel


@kernel
def bend(sums, bias, tanh):
    """Add the bias to all rows and apply the activation."""
    for i in range(sums.shape[0]):
        if tanh:
            for j in range(sums.shape[1]):
                sums[i, j] = math.tanh(sums[i, j] + bias[j])
        else:
            for j in range(sums.shape[1]):
                sums[i, j] = max(sums[i, j] + bias[j], np.float32(0.0))


@kernel
def unbend(slopes, bent, tanh, bias):
    """Slopes of what an activation has given -> those of what it was given, whose columns are added to `bias`."""
    for i in range(slopes.shape[0]):
        if tanh:
            for j in range(slopes.shape[1]):
                slopes[i, j] *= np.float32(1.0) - bent[i, j] * bent[i, j]
        else:
            for j in range(slopes.shape[1]):
                slopes[i, j] = slopes[i, j] if bent[i, j] > 0 else np.float32(0.0)
        for j in range(slopes.shape[1]):
            bias[j] += slopes[i, j]


class Perceptron:
    """The layers, one after the other with an activation after each, and the heads, which see the last of them."""

    def __init__(self, layers: Sequence[nn.Linear], heads: Sequence[nn.Linear], activation: str, rows: int) -> None:
        self.layers, self.heads, self.tanh = layers, heads, activation == "tanh"
        self.head = nn.Linear(layers[-1].out_features, sum(head.out_features for head in heads))
        self.hidden = [torch.empty(rows, layer.out_features) for layer in layers]
        self.back = [torch.empty_like(hidden) for hidden in self.hidden]
        self.outputs = torch.empty(rows, self.head.out_features)
        self.slopes = torch.empty_like(self.outputs)
        self.turned = [torch.empty(part.in_features, part.out_features) for part in (*layers, self.head)]
        self.sums = [(torch.zeros_like(part.weight), torch.zeros_like(part.bias)) for part in (*layers, self.head)]

    @torch.no_grad()
    def begin(self) -> None:
        """Take up the weights, which may have changed, and forget all gradients."""
        torch.cat([head.weight for head in self.heads], out=self.head.weight)
        torch.cat([head.bias for head in self.heads], out=self.head.bias)
        for part, turned, sums in zip((*self.layers, self.head), self.turned, self.sums, strict=True):
            turned.copy_(part.weight.t())
            for gradient in sums:
                gradient.zero_()

    @torch.no_grad()
    def forward(self, inputs: Tensor) -> Tensor:
        """What the heads say, side by side; the next block writes over it."""
        x, many = inputs, len(inputs)
        for layer, turned, hidden in zip(self.layers, self.turned, self.hidden, strict=False):
            x = torch.mm(x, turned, out=hidden[:many])
            bend(x.numpy(), layer.bias.detach().numpy(), self.tanh)
        return torch.addmm(self.head.bias, x, self.turned[-1], out=self.outputs[:many])

    @torch.no_grad()
    def backward(self, inputs: Tensor, slopes: Tensor) -> None:
        """Add to the gradients what the block that went forward last gives, from the slopes of its outputs."""
        many, parts = len(inputs), (*self.layers, self.head)
        seen = [inputs, *(hidden[:many] for hidden in self.hidden)]
        self.sums[-1][1].add_(slopes.sum(0))
        for place in range(len(parts) - 1, -1, -1):
            self.sums[place][0].addmm_(slopes.t(), seen[place])
            if place:
                slopes = torch.mm(slopes, parts[place].weight, out=self.back[place - 1][:many])
                unbend(slopes.numpy(), seen[place].numpy(), self.tanh, self.sums[place - 1][1].numpy())

    def gradients(self) -> list[Tensor]:
        """Of the weight and the bias of each layer, and of each head."""
        *layers, (weight, bias) = self.sums
        sizes = [head.out_features for head in self.heads]
        heads = zip(weight.split(sizes), bias.split(sizes), strict=True)
        return [gradient for pair in (*layers, *heads) for gradient in pair]
