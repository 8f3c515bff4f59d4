"""Two hidden layers and both heads of a small network (`Net` in ippo.py) as one kernel of a card each way, in Triton,
which comes with PyTorch for cards. What lies between the layers stays in registers: to write it to memory and read it
again, as PyTorch's own layers do, takes most of an update's time. Factors of products have 11 bits (TF32), sums 24.
"""

from __future__ import annotations

import contextlib
from typing import Any

import torch
import triton
from torch import Tensor, nn
from triton import language as tl
from triton.runtime.errors import OutOfResources

MOST_NUMBERS = 128  # of a layer: more of them do not fit into registers
ROWS = (64, 32, 16)  # that a block of threads takes at a time: as many as its memory holds
BLOCKS = 264  # two for each multiprocessor of a large card; what they add up is added in their order


def fused(net: Any) -> FusedLayers | None:
    """The layers of a network, if they are two small ones that policy and value share."""
    layers = [layer for layer in net.encoder if isinstance(layer, nn.Linear)]
    plain = net.valuer is None and net.core is None and net.log_deviation is None and len(net.encoder) == 4
    sizes = [layer.in_features for layer in layers] + [net.width, net.actor.out_features + 1]
    if not plain or len(layers) != 2 or max(sizes) > MOST_NUMBERS:
        return None
    for rows in ROWS[max(sizes) > MOST_NUMBERS // 2 :]:
        made = FusedLayers(net, sizes, rows)
        with contextlib.suppress(OutOfResources):
            seen = torch.zeros(rows, sizes[0], device=net.actor.weight.device)  # kernels for one row are others
            made.backward(seen, torch.zeros(rows, dtype=torch.int64, device=seen.device), made.outputs(seen))
            return made
    return None


class FusedLayers:
    def __init__(self, net: Any, sizes: list[int], rows: int) -> None:
        self.parameters, self.sizes, self.rows = [*net.parameters()], sizes, rows
        padded = [max(16, triton.next_power_of_2(size)) for size in sizes]
        self.fixed = *sizes, *padded, isinstance(net.encoder[1], nn.Tanh), rows
        self.how = {"num_warps": 16 if max(padded) > 64 else 4, "num_stages": 1}

    def outputs(self, seen: Tensor, rows: Tensor | None = None) -> Tensor:
        """Logits and value of each row of what is seen, or of those with these numbers."""
        chosen = seen if rows is None else rows
        outputs = torch.empty(len(chosen), self.sizes[-1], device=seen.device)
        of = len(chosen), seen, chosen, *self.parameters, outputs
        _forward[(self._blocks(chosen),)](*of, rows is not None, *self.fixed, **self.how)
        return outputs

    def backward(self, seen: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        """From the gradient by the outputs that by all parameters, into their `grad`, and all of it in a row."""
        blocks, numbers = self._blocks(rows), [part.numel() for part in self.parameters]
        parts = torch.empty(blocks, sum(numbers), device=seen.device)
        of = len(rows), seen, rows, *self.parameters, gradient, parts
        _backward[(blocks,)](*of, sum(numbers), *self.fixed, **self.how)
        whole = parts.sum(0)
        for parameter, part in zip(self.parameters, whole.split(numbers), strict=True):
            parameter.grad = part.view_as(parameter)
        return whole

    def _blocks(self, rows: Tensor) -> int:
        return min(BLOCKS, triton.cdiv(len(rows), self.rows))


@triton.jit
def _matrix(of, height: tl.constexpr, width: tl.constexpr, tall: tl.constexpr, wide: tl.constexpr):
    """A matrix of `height` rows, filled up with zeros."""
    row, column = tl.arange(0, tall)[:, None], tl.arange(0, wide)[None, :]
    return tl.load(of + row * width + column, (row < height) & (column < width), 0.0)


@triton.jit
def _activated(x, is_tanh: tl.constexpr):
    return 2 * tl.sigmoid(2 * x) - 1 if is_tanh else tl.maximum(x, 0.0)


@triton.jit
def _through(gradient, activated, is_tanh: tl.constexpr):
    """A gradient before the activation, from that after it."""
    return gradient * (1 - activated * activated) if is_tanh else tl.where(activated > 0, gradient, 0.0)


@triton.jit
def _seen(seen, rows, chosen: tl.constexpr, at, count, inputs: tl.constexpr, wide: tl.constexpr):
    column = tl.arange(0, wide)[None, :]
    row = tl.load(rows + at, at < count, 0) if chosen else at.to(tl.int64)
    return tl.load(seen + row[:, None] * inputs + column, (at < count)[:, None] & (column < inputs), 0.0)


@triton.jit
def _heads(actor, critic, outs: tl.constexpr, width: tl.constexpr, tall: tl.constexpr, wide: tl.constexpr):
    """The rows of the actor's matrix, and the critic's as the last."""
    row, column = tl.arange(0, tall)[:, None], tl.arange(0, wide)[None, :]
    value = tl.load(critic + column + row * 0, (row == outs - 1) & (column < width), 0.0)
    return _matrix(actor, outs - 1, width, tall, wide) + value


@triton.jit
def _forward(
    count, seen, rows, w1, b1, w2, b2, actor, actor_bias, critic, critic_bias, outputs, chosen: tl.constexpr,
    inputs: tl.constexpr, first: tl.constexpr, second: tl.constexpr, outs: tl.constexpr, wide: tl.constexpr,
    wide1: tl.constexpr, wide2: tl.constexpr, wide3: tl.constexpr, is_tanh: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    layer1, layer2 = _matrix(w1, first, inputs, wide1, wide).T, _matrix(w2, second, first, wide2, wide1).T
    heads = _heads(actor, critic, outs, second, wide3, wide2).T
    bias1, bias2 = _matrix(b1, 1, first, 1, wide1), _matrix(b2, 1, second, 1, wide2)
    bias3 = _heads(actor_bias, critic_bias, outs, 1, wide3, 1).T
    column = tl.arange(0, wide3)[None, :]
    for begin in range(tl.program_id(0) * ROWS, count, tl.num_programs(0) * ROWS):
        at = begin + tl.arange(0, ROWS)
        x = _seen(seen, rows, chosen, at, count, inputs, wide)
        hidden = _activated(tl.dot(x, layer1) + bias1, is_tanh)
        hidden = _activated(tl.dot(hidden, layer2) + bias2, is_tanh)
        here = (at < count)[:, None] & (column < outs)
        tl.store(outputs + at[:, None] * outs + column, tl.dot(hidden, heads) + bias3, here)


@triton.jit
def _backward(
    count, seen, rows, w1, b1, w2, b2, actor, actor_bias, critic, critic_bias, gradient, parts, numbers: tl.constexpr,
    inputs: tl.constexpr, first: tl.constexpr, second: tl.constexpr, outs: tl.constexpr, wide: tl.constexpr,
    wide1: tl.constexpr, wide2: tl.constexpr, wide3: tl.constexpr, is_tanh: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    layer1, layer2 = _matrix(w1, first, inputs, wide1, wide), _matrix(w2, second, first, wide2, wide1)
    heads = _heads(actor, critic, outs, second, wide3, wide2)
    bias1, bias2 = _matrix(b1, 1, first, 1, wide1), _matrix(b2, 1, second, 1, wide2)
    by_w1, by_b1 = tl.zeros((wide1, wide), tl.float32), tl.zeros((wide1,), tl.float32)
    by_w2, by_b2 = tl.zeros((wide2, wide1), tl.float32), tl.zeros((wide2,), tl.float32)
    by_heads, by_bias = tl.zeros((wide3, wide2), tl.float32), tl.zeros((wide3,), tl.float32)
    column = tl.arange(0, wide3)[None, :]
    for begin in range(tl.program_id(0) * ROWS, count, tl.num_programs(0) * ROWS):
        at = begin + tl.arange(0, ROWS)
        x = _seen(seen, rows, True, at, count, inputs, wide)
        hidden1 = _activated(tl.dot(x, layer1.T) + bias1, is_tanh)
        hidden2 = _activated(tl.dot(hidden1, layer2.T) + bias2, is_tanh)
        by_out = tl.load(gradient + at[:, None] * outs + column, (at < count)[:, None] & (column < outs), 0.0)
        by_heads = tl.dot(by_out.T, hidden2, by_heads)
        by_bias += tl.sum(by_out, 0)
        by_hidden = _through(tl.dot(by_out, heads), hidden2, is_tanh)
        by_w2 = tl.dot(by_hidden.T, hidden1, by_w2)
        by_b2 += tl.sum(by_hidden, 0)
        by_hidden = _through(tl.dot(by_hidden, layer2), hidden1, is_tanh)
        by_w1 = tl.dot(by_hidden.T, x, by_w1)
        by_b1 += tl.sum(by_hidden, 0)
    # In the order of the parameters; the critic's after the actor's.
    place = parts + tl.program_id(0) * numbers
    _write(place, by_w1, first, inputs, wide1, wide)
    place += first * inputs
    _write(place, by_b1[:, None], first, 1, wide1, 1)
    place += first
    _write(place, by_w2, second, first, wide2, wide1)
    place += second * first
    _write(place, by_b2[:, None], second, 1, wide2, 1)
    place += second
    _write(place, by_heads, outs - 1, second, wide3, wide2)
    place += (outs - 1) * second
    _write(place, by_bias[:, None], outs - 1, 1, wide3, 1)
    place += outs - 1
    row, column = tl.arange(0, wide3)[:, None], tl.arange(0, wide2)[None, :]
    tl.store(place + column + row * 0, by_heads, (row == outs - 1) & (column < second))
    tl.store(place + second + row * 0, by_bias[:, None], row == outs - 1)


@triton.jit
def _write(into, matrix, height: tl.constexpr, width: tl.constexpr, tall: tl.constexpr, wide: tl.constexpr):
    row, column = tl.arange(0, tall)[:, None], tl.arange(0, wide)[None, :]
    tl.store(into + row * width + column, matrix, (row < height) & (column < width))
