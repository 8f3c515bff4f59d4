"""Processes that learn one run together, on one machine or several: `torchrun` starts them, and ippo.py asks here.

Each plays its own rows of the batch of episodes. What a row draws depends on its number alone, noise and the order of
moves are drawn for all rows everywhere, and gradients, advantages and returns are those of all. So the run is that of
one process, but for rounding.
"""

import atexit
import os
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor, distributed, nn

from mmgames.envs.options import count_processors
from mmgames.errors import MmgamesError

SHARED = ("net.", "mean.", "adam.", "past.")
"""How the names of the arrays in a checkpoint begin that are the same in all processes."""


@dataclass(frozen=True)
class Processes:
    """This process among those of a run, and what they tell each other; one that is alone has nobody to tell."""

    num_envs: int = 0  # of this process
    rank: int = 0
    size: int = 1
    threads: int | None = None  # that it may take if nobody says how many

    @property
    def first(self) -> int:
        """The number of its first row among all."""
        return self.rank * self.num_envs

    def clock(self) -> float:
        """Seconds by the clock of the first process: all of them save and stop at the same time."""
        now = torch.tensor(perf_counter(), dtype=torch.float64)
        if self.size > 1:
            distributed.broadcast(now, 0)
        return now.item()

    def sum(self, tensor: Tensor) -> Tensor:
        """The tensor, which is made the sum of all processes'."""
        if self.size > 1:
            distributed.all_reduce(tensor)
        return tensor

    def begin_alike(self, net: nn.Module) -> None:
        for tensor in net.state_dict().values() if self.size > 1 else ():
            distributed.broadcast(tensor, 0)

    def noise(self, draw: Callable[..., Tensor], shape: torch.Size, **how: Any) -> Tensor:
        """Numbers for this process's rows, out of those that are drawn for all rows."""
        rows, *rest = shape
        return draw((rows * self.size, *rest), **how)[self.rank * rows : (self.rank + 1) * rows]

    def numbers(self, valid: Tensor, of_episodes: bool) -> Tensor:
        """The numbers of valid moves [time, env, seat], or of episodes: of all processes, in the order of one; -1 is
        another's."""
        if of_episodes:
            valid = torch.ones_like(valid[:1, :, :1], device="cpu")
        if self.size == 1:
            return valid.flatten().nonzero()[:, 0]
        everywhere = [torch.empty_like(valid, dtype=torch.uint8) for _ in range(self.size)]
        distributed.all_gather(everywhere, valid.to(torch.uint8))
        places = [torch.full(valid.shape, -1, device=valid.device) for _ in everywhere]
        places[self.rank] = torch.arange(valid.numel(), device=valid.device).view(valid.shape)
        return torch.cat(places, 1)[torch.cat(everywhere, 1).bool()]

    def own(self, numbers: Tensor) -> Tensor:
        return numbers if self.size == 1 else numbers[numbers >= 0]

    def mean_and_deviation(self, known: Tensor) -> tuple[Tensor, Tensor] | None:
        """Over the numbers of all processes; None where there is none."""
        if self.size == 1:
            return (known.mean(), known.std(correction=0)) if len(known) else None
        count = self.sum(known.new_tensor(len(known)))
        mean = self.sum(known.sum()) / count.clamp(min=1)
        return (mean, (self.sum((known - mean).square().sum()) / count).sqrt()) if count else None

    def average(self, net: nn.Module, logged: Tensor, valid: Tensor, minibatch: Tensor) -> Tensor:
        """Turn gradients and what is logged, means over the valid moves of a minibatch, into those of all processes."""
        if self.size == 1:
            return logged
        parts = [logged, *(part.grad for part in net.parameters() if part.grad is not None)]
        count = valid.index_select(valid.dim() // 2, minibatch).sum().float()[None]
        sums = self.sum(torch.cat([*(part.flatten() * count for part in parts), count]))
        means = sums[:-1] / sums[-1].clamp(min=1)
        for part, mean in zip(parts, means.split([part.numel() for part in parts]), strict=True):
            part.copy_(mean.view_as(part))
        return logged

    def gathered(self, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """For the first process, who writes it: what all need to go on, each under its own name."""
        if self.size == 1:
            return arrays
        everyone: Any = [None] * self.size if self.rank == 0 else None
        distributed.gather_object({k: v for k, v in arrays.items() if not k.startswith(SHARED)}, everyone)
        theirs = {f"process.{rank}.{k}": v for rank, one in enumerate(everyone or ()) if rank for k, v in one.items()}
        return arrays | theirs

    def own_arrays(self, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Of what was `gathered`, what this process goes on from."""
        own = f"process.{self.rank}."
        return arrays | {name.removeprefix(own): array for name, array in arrays.items() if name.startswith(own)}


def started(num_envs: int, device: torch.device) -> Processes:
    """This process among those that torchrun has started for a run of so many episodes, or alone."""
    if not (distributed.is_available() and distributed.is_torchelastic_launched()):
        return Processes(num_envs)
    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
    rank, size, here, beside = (int(os.environ[name]) for name in names)
    if num_envs % size:
        raise MmgamesError(f"ippo: num_envs={num_envs} is not split evenly by {size} processes; take a multiple of it.")
    if device.type == "cuda" and beside > (cards := torch.cuda.device_count()):
        raise MmgamesError(f"ippo: {beside} processes need a graphics card each, and there are {cards}; start fewer.")
    if device.type == "cuda":
        torch.cuda.set_device(here)
    if size > 1 and not distributed.is_initialized():
        distributed.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
        atexit.register(distributed.destroy_process_group)
    return Processes(num_envs // size, rank, size, max(1, count_processors() // beside))
