"""Work in other processes: jobs in, results out as they are finished, in any order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from mmgames.core.errors import MmgamesError


def spread(function: Callable[..., Any], jobs: Sequence[tuple], processes: int) -> Iterator[Any]:
    """`function(*job)` for every job; with one process here, otherwise in fresh processes."""
    if processes == 1 or len(jobs) < 2:
        for job in jobs:
            yield function(*job)
        return
    waiting = list(reversed(jobs))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(jobs)), context, _leave_with, (os.getpid(),)) as pool:
        running: set[Future] = set()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * processes:
                    running.add(pool.submit(function, *waiting.pop()))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise MmgamesError(
                "A worker process died; what is finished is safe, start the same command again to go on."
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _leave_with(parent: int) -> None:
    """A worker leaves when its parent is gone, which may have been killed; an interrupt is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
