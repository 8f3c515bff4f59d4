"""Work on threads of this process, for work that mostly waits: jobs in, results out as they are finished."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_on_threads(
    jobs: Sequence[Job], make_worker: Callable[[], Callable[[Job], Result]], threads: int
) -> Iterator[Result]:
    """The result of every job, in the order in which they end.

    Each thread makes a worker of its own, which does one job after the other. If one raises, the others finish the job
    they are at, nothing further is begun, and the error is raised here.
    """
    todo: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        todo.put(job)
    done: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    stop = threading.Event()

    def work() -> None:
        try:
            worker = make_worker()
            while not stop.is_set():
                try:
                    job = todo.get_nowait()
                except queue.Empty:
                    break
                done.put(("result", worker(job)))
        except BaseException as error:
            stop.set()
            done.put(("error", error))
        finally:
            done.put(("end", None))

    # Threads that hang in a call do not keep the program from ending.
    running = [threading.Thread(target=work, daemon=True) for _ in range(max(1, min(threads, len(jobs))))]
    for thread in running:
        thread.start()
    ended, raised = 0, None
    try:
        while ended < len(running):
            kind, value = done.get()
            if kind == "result":
                yield value
            elif kind == "error":
                raised = raised or value
            else:
                ended += 1
    finally:
        stop.set()
    if raised is not None:
        raise raised
