"""Work in other processes or on other machines: jobs in, results out as they are finished, in any order.

`run_jobs` is the one place that spreads work. Whatever is CPU-bound comes through here, and so does everything that a
cluster does.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.running.ray_cluster import Cluster, Job

Workers = int | Cluster
"""Who works: so many processes of this machine, or a cluster."""

MOST_DEATHS = 3
KEEP_DYING = "Worker processes keep dying; what is finished is safe, start the same again to go on."
AHEAD = 3
"""So many jobs for each process are handed out at a time; an interrupted run leaves no long queue behind."""


def stdout_for_results(workers: Workers) -> AbstractContextManager[Any]:
    """While a cluster works stdout is kept for results, which may be JSON: Ray tells there of workers that died."""
    return redirect_stdout(sys.stderr) if isinstance(workers, Cluster) else nullcontext()


def run_jobs(
    function: Callable[..., Any],
    jobs: Sequence[Job],
    processes: Workers,
    died: Callable[..., Any] | None = None,
    driver: Any = None,
    together: int | None = None,
) -> Iterator[Any]:
    """`function(*job)` for every job: here, if one process is enough, otherwise in fresh ones or on a cluster.

    What all jobs have in common belongs into the function (`functools.partial`): to a cluster that travels once. The
    jobs of a process that was killed are done again. When that keeps happening, each is done alone, and the result of
    one whose process dies once more is `died(*job)`, if that is given.

    `driver` and `together` are for work that waits for models, on a cluster: an object of this process that workers ask
    (`running.driver_link`), and how many jobs are under way at a time, on threads where they are more than the workers.
    """
    if isinstance(processes, Cluster):
        yield from processes.run(function, jobs, died, driver, together)
        return
    if processes == 1 or len(jobs) < 2:
        for job in jobs:
            yield function(*job)
        return
    waiting = dict(enumerate(jobs))
    for death in range(MOST_DEATHS):
        try:
            yield from _pooled(function, waiting, min(processes, len(waiting)))
            return
        except BrokenProcessPool:
            if not death and len(waiting) == len(jobs):
                _check_start()
    if died is None:
        raise MmgamesError(KEEP_DYING)
    in_a_row = 0
    while waiting:
        before = len(waiting)
        try:
            yield from _pooled(function, waiting, 1, ahead=1)
        except BrokenProcessPool:
            in_a_row = in_a_row + 1 if len(waiting) == before else 1
            yield died(*waiting.pop(next(iter(waiting))))  # the only one that was under way
            if waiting and in_a_row > MOST_DEATHS:
                raise MmgamesError(KEEP_DYING) from None


def _check_start() -> None:
    """A sentence when worker processes do not even start; a test of one that does nothing else."""
    try:
        list(_pooled(os.getpid, {0: ()}, 1))
    except BrokenProcessPool:
        raise MmgamesError(
            "Worker processes do not start; a script that uses several has to be a file, and has to keep what "
            'it does under `if __name__ == "__main__":`. One process (processes=1) works everywhere.'
        ) from None


def _pooled(function: Callable[..., Any], waiting: dict[int, Job], processes: int, ahead: int = AHEAD) -> Iterator[Any]:
    """Do the waiting jobs in a pool; those whose result was yielded leave `waiting`, even if the pool breaks."""
    todo = list(reversed(waiting))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _leave_with, (os.getpid(),)) as pool:
        running: dict[Future[Any], int] = {}
        try:
            while todo or running:
                while todo and len(running) < ahead * processes:
                    number = todo.pop()
                    running[pool.submit(function, *waiting[number])] = number
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    result = future.result()
                    del waiting[running.pop(future)]
                    yield result
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
