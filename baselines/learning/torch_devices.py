"""How our trainers use a CPU or a graphics card: which one, PyTorch's threads beside our own, many rows at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mmgames.errors import MmgamesError, unknown
from mmgames.kernels.threads import Threads

ROWS_PER_THREAD = 512  # fewer rows than this are not worth another thread when acting


def device_named(asked: str) -> torch.device:
    """The device for "auto" (a graphics card if there is one), "cpu" or "cuda"."""
    if asked == "auto":
        asked = "cuda" if torch.cuda.is_available() else "cpu"
    if asked not in ("cpu", "cuda"):
        raise unknown("device", asked, "training", ("auto", "cpu", "cuda"))
    if asked == "cuda" and not torch.cuda.is_available():
        raise MmgamesError("device='cuda' asks for a graphics card, and PyTorch finds none here; use device='cpu'.")
    if asked == "cuda":
        torch.set_float32_matmul_precision("high")
    return torch.device(asked)


def set_torch_threads(number: int) -> None:
    if torch.get_num_threads() != number:
        torch.set_num_threads(number)


@contextlib.contextmanager
def torch_threads(number: int) -> Iterator[None]:
    """So many threads of PyTorch in here, in this thread; afterwards as many as before."""
    before = torch.get_num_threads()
    set_torch_threads(number)
    try:
        yield
    finally:
        set_torch_threads(before)


class RowThreads:
    """A function of rows on the CPU: each thread of the environment takes a share of them, and one of PyTorch's."""

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

        self.threads.run_all([partial(work, number, *share) for number, *share in zip(range(count), *cut, strict=True)])
        return [None if parts[0] is None else torch.cat(parts) for parts in zip(*outputs, strict=True)]


class CudaGraph:
    """A function on the graphics card, recorded once and replayed: its many small kernels start as one."""

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
