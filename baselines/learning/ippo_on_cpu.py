"""What IPPO (ippo.py) does on a CPU, in less time: each thread takes a share of the rows.

PyTorch's own threads wait for each other after every operation; these meet once. The gradient of the loss by what a
network gives is one pass over the rows, where autograd writes and reads an array for every operation; autograd takes it
on from there through the layers. tests/trainers/test_ippo.py holds the gradients against those of `ppo_loss`.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mmgames.baselines.learning.ppo_rows import OF_MOVES, SEEN, loss_rows
from mmgames.baselines.learning.torch_devices import set_torch_threads, torch_threads
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
            seen = [rollout[name].index_select(0, block) for name in SEEN if name in rollout]
            outputs, _ = self.net.outputs(seen[0], seen[-1], None)
            gradient, rows = torch.empty_like(outputs), np.empty((len(block), len(logged)), np.float32)
            columns = (rollout[name].numpy() if name in rollout else NO_MASK for name in OF_MOVES)
            given = block.numpy(), outputs.detach().numpy(), *columns, weights, gradient.numpy(), rows
            loss_rows(*given, 0, len(block))
            logged += rows.sum(0, dtype=np.float64)
            for total, more in zip(sums, torch.autograd.grad(outputs, [*self.net.parameters()], gradient), strict=True):
                total += more
