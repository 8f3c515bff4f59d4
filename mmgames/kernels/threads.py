"""Loops over many rows and lists of tasks, split over threads."""

import functools
import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mmgames.kernels.kernel import compiled_for


class Threads:
    """Threads for what lets go of the interpreter's lock: kernels, and the work of PyTorch.

    It can be copied and pickled, and a forked child can go on with it: each process starts its own threads.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0  # the process that started the pool

    @property
    def arrays(self) -> Any:
        """The module of the arrays that loops take."""
        return np

    def kept(self, array: np.ndarray) -> Any:
        """An array, or records, where loops can reach it."""
        return array

    def to_host(self, array: Any) -> np.ndarray:
        """A copy as NumPy has it."""
        return np.array(array)

    def take(self, states: Any, which: Any) -> Any:
        """The states with these numbers."""
        return states[which]

    def write(self, into: Any, array: np.ndarray) -> None:
        into[...] = array

    def run_all(self, tasks: Sequence[Callable[[], Any]]) -> None:
        """Do all tasks at the same time, the first one here."""
        if len(tasks) > 1 and (self._pool is None or self._pool_of != os.getpid()):
            self._pool, self._pool_of = ThreadPoolExecutor(max(1, self.most - 1)), os.getpid()
        running = [self._pool.submit(task) for task in tasks[1:]] if self._pool is not None else []
        tasks[0]()
        for one in running:
            one.result()

    def run(self, loop: Any, *arguments: Any, count: int, threads: int = 1) -> None:
        """A kernel over the rows from 0 to `count`, split over the threads; its last two arguments are the first row of
        a part and the first row behind it."""
        loop, threads = compiled_for(loop, *arguments, 0, count), min(threads, self.most)
        if threads <= 1:
            loop(*arguments, 0, count)
            return
        ends = np.linspace(0, count, threads + 1).astype(int).tolist()
        self.run_all([functools.partial(loop, *arguments, first, last) for first, last in itertools.pairwise(ends)])

    def wait(self) -> None:
        """Until all that was asked for is done; here it always is."""

    def end(self) -> None:
        if self._pool is not None and self._pool_of == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}
