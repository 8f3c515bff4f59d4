"""What IPPO (ippo.py) does on a graphics card per step, recorded once and replayed: many small kernels start as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def accelerate(policy_step: Callable[..., Any], gradients: Callable[..., Any], net: Any, threads: Any) -> Any:
    """The two functions of a learner, as they are to be called."""
    return CudaGraph(policy_step), gradients


class CudaGraph:
    """A function of tensors on the card."""

    def __init__(self, function: Callable[..., tuple[Tensor | None, ...]]) -> None:
        self.function = function
        self.inputs: list[Tensor | None] = []

    def _record(self, inputs: tuple[Tensor | None, ...]) -> None:
        self.inputs = [None if given is None else given.clone() for given in inputs]
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                self.function(*self.inputs)
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.outputs = self.function(*self.inputs)

    def __call__(self, *inputs: Tensor | None) -> Any:
        if not self.inputs:
            self._record(inputs)
        for mine, given in zip(self.inputs, inputs, strict=True):
            if mine is not None and given is not None:
                mine.copy_(given, non_blocking=True)
        self.graph.replay()
        return self.outputs
