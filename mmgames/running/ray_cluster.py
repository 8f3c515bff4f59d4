"""Work on the machines of a Ray cluster: the second way of `running.processes.run_jobs`, with the same results.

Workers are Ray actors, a CPU each. The driver, which is the process that began the run, hands out jobs, several at a
time where they are short, and is the only one that writes anything. A worker that dies is replaced and what it was at
is done again; it delivers results whole or not at all, so nothing is lost or counted twice.
"""

from __future__ import annotations

import itertools
import logging
import math
import os
import pickle
import queue
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mmgames.errors import MmgamesError, needs_extra
from mmgames.running.driver_link import DRIVER_METHODS, connect_to_driver
from mmgames.running.worker_cache import close_caches
from mmgames.version import __version__

Job = tuple[Any, ...]
"""The arguments of one call."""

ANSWERS_WITHIN = 3.0
"""Seconds in which an address has to answer."""
PORTION_SECONDS, PORTION_SECONDS_PER_WORKER = 0.2, 0.005
"""Short jobs are handed out in portions of about this length. Each costs the driver 1 to 2 ms, whoever has done it, so
the more workers there are, the longer they are."""
LONGEST_PORTION = 5000
AHEAD = 2
"""So many portions are at a worker, so that it need not wait for the next one."""
MOST_DEATHS = 3
LOOK_AROUND = 10.0
"""Seconds after which the driver looks whether the cluster has grown."""
KEEP_DYING = "The workers of the cluster keep dying; what is finished is safe, start the same again to go on."


class Cluster:
    """A Ray cluster at `address` (`host:port`, `ray://host:port`, `auto`), for everything that takes `processes=`.

    Without an address it is the one that RAY_ADDRESS names, or else one that is started on this machine and ends with
    this process. `workers` bounds how many CPUs are used; without it all of them are, also those that join later.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address = address or os.environ.get("RAY_ADDRESS") or None
        self.workers = workers
        self._ray: Any = None
        self._team: dict[_WorkerState, None] = {}  # in the order in which they came
        self._threads = 1

    def connect(self) -> Any:
        """Ray, connected; one sentence if that cannot be."""
        if self._ray is not None:
            return self._ray
        with needs_extra("A Ray cluster", "scale"):
            import ray
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        if not ray.is_initialized():
            try:
                if self.address is None:
                    cpus = self.workers or os.cpu_count() or 1
                    ray.init(num_cpus=cpus, include_dashboard=False, **quiet)
                else:
                    check_address(self.address)
                    ray.init(address=self.address, **quiet)
            except MmgamesError:
                raise
            except Exception as error:
                said = str(error).strip().partition("\n")[0]
                raise MmgamesError(
                    f"Ray at {self.address or 'this machine'} cannot be used: {type(error).__name__}: {said}"
                ) from error
        self._ray = ray
        return ray

    def size(self) -> int:
        """How many workers there can be now."""
        found = int(self.connect().cluster_resources().get("CPU", 0))
        if not found:
            raise MmgamesError(f"The Ray cluster at {self.address} has no CPU to work on; start `ray start` with some.")
        return min(found, self.workers or found)

    def dumps(self, thing: Any) -> bytes:
        """A pickle that also holds classes of the script that runs, which workers cannot import."""
        packed: bytes = self.connect().cloudpickle.dumps(thing)
        return packed

    def run(
        self,
        function: Callable[..., Any],
        jobs: Sequence[Job],
        died: Callable[..., Any] | None,
        driver: Any,
        together: int | None,
    ) -> Iterator[Any]:
        """As `run_jobs` says."""
        if jobs:
            yield from _Distribution(self, function, jobs, died, driver, together).results()

    def team(self, wanted: int, threads: int) -> list[_WorkerState]:
        """The workers, as many as wanted; those of an earlier call if they can do as much at a time."""
        if threads != self._threads:
            self.close()
        self._threads = threads
        actors = _actors(self.connect(), threads)
        while len(self._team) < wanted:
            self._team[_WorkerState(actors.remote(os.getcwd()))] = None
        return list(itertools.islice(self._team, wanted))

    def dismiss(self, member: _WorkerState) -> None:
        """It is dead, or has to be."""
        self._team.pop(member, None)
        self._ray.kill(member.handle)

    def close(self) -> None:
        """Let the workers go."""
        for member in list(self._team):
            self.dismiss(member)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_address(address: str) -> None:
    """A sentence, within seconds, about an address that no Ray answers at."""
    if address in ("auto", "local"):
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise MmgamesError(
            f"{address!r} is no address of a Ray cluster; give host:port, such as 10.0.0.1:6379, or auto."
        )
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWERS_WITHIN) as open_socket:
            if os.environ.get("RAY_USE_TLS", "0") not in ("1", "true", "True"):
                # Ray speaks HTTP/2: whoever does greets with its settings, a frame of type 4. Ray's own client would
                # wait for minutes.
                open_socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
                greeting = open_socket.recv(9)
                if len(greeting) < 4 or greeting[3] != 4:
                    raise OSError("what answers is no Ray")
    except (OSError, OverflowError) as error:
        why = "no answer" if isinstance(error, TimeoutError) else getattr(error, "strerror", None) or str(error)
        raise MmgamesError(
            f"No Ray cluster answers at {address} ({why}); start one with `ray start --head` and give its address, or "
            "leave --address out to start one on this machine."
        ) from error


class Worker:
    """One process of the cluster. Made by Ray; its methods are called from the driver."""

    def __init__(self, folder: str) -> None:
        self.version = __version__
        self._key, self._function = "", None
        self._asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._answers: dict[int, tuple[threading.Event, list[Any]]] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        if os.path.isdir(folder):
            os.chdir(folder)  # files that agents are made from are named as on the driver
        connect_to_driver(self._ask)

    def hello(self) -> str:
        return self.version

    def work(self, key: str, function: list[Any], jobs: Sequence[Job]) -> tuple[list[tuple[bool, Any]], float]:
        """What became of the jobs, and how long they took; the function comes along as a reference, and is kept."""
        begun = time.perf_counter()
        with self._lock:
            if key != self._key:
                import ray

                self.end_run()
                self._key, self._function = key, ray.get(function[0])
            do: Any = self._function
        done: list[tuple[bool, Any]] = []
        for job in jobs:
            try:
                done.append((True, do(*job)))
            except Exception as error:
                done.append((False, _that_travels(error)))
                break
        return done, time.perf_counter() - begun

    def end_run(self) -> None:
        """The work is done: close what was kept from job to job."""
        self._key, self._function = "", None
        close_caches()

    def requests(self) -> list[Any]:
        """What is asked of the driver, as soon as anything is."""
        found = [self._asked.get()]
        while not self._asked.empty():
            found.append(self._asked.get())
        return [one for one in found if one is not None]

    def answer(self, number: int, fine: bool, value: Any) -> None:
        waiting, answer = self._answers[number]
        answer += [fine, value]
        waiting.set()

    def stop_asking(self) -> None:
        """The driver listens no more."""
        self._asked.put(None)

    def _ask(self, what: str, arguments: tuple[Any, ...]) -> Any:
        answer: list[Any] = []
        number, waiting = next(self._numbers), threading.Event()
        self._answers[number] = (waiting, answer)
        self._asked.put((number, what, arguments))
        waiting.wait()
        del self._answers[number]
        if not answer[0]:
            raise answer[1]
        return answer[1]


def _that_travels(error: Exception) -> Exception:
    """An error as it is, if it can be pickled and made again, or else what it says."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return MmgamesError(f"{type(error).__name__}: {error}")


def _actors(ray: Any, threads: int) -> Any:
    """What makes workers on the cluster. Questions to the run and their answers pass beside the work."""
    for name in ("requests", "answer", "stop_asking"):
        ray.method(concurrency_group="post")(getattr(Worker, name))
    made = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, concurrency_groups={"post": 2})(Worker)
    return made.options(max_concurrency=threads)


class _WorkerState:
    """A worker as the driver sees it."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.ready = self.alone = self.listening = False
        self.portions: dict[int, list[int]] = {}
        """The jobs that it has, by number, in the portions in which it got them."""


class _Distribution:
    """One call of `run_jobs`: who has which jobs, and what came of them."""

    def __init__(
        self,
        cluster: Cluster,
        function: Callable[..., Any],
        jobs: Sequence[Job],
        died: Callable[..., Any] | None,
        driver: Any,
        together: int | None,
    ) -> None:
        self.cluster, self.jobs, self.died, self.driver = cluster, jobs, died, driver
        ray = cluster.connect()
        self.wanted = min(cluster.size(), together or len(jobs), len(jobs))
        self.together = together
        self.threads = math.ceil(together / self.wanted) if together else 1
        self.function = ray.put(function)
        self.todo = deque(range(len(jobs)))
        self.suspects: deque[int] = deque()  # their worker died: each is done alone, and shows whether it is to blame
        self.deaths = dict.fromkeys(range(len(jobs)), 0)
        self.left = len(jobs)
        self.under_way = 0
        self.seconds: float | None = None  # that a job takes, lately
        self.lost_in_a_row = 0
        self.members: dict[_WorkerState, None] = {}
        self.events: queue.SimpleQueue[tuple[str, _WorkerState, int, Any]] = queue.SimpleQueue()
        self.numbers = itertools.count()
        self.raised: Exception | None = None

    def results(self) -> Iterator[Any]:
        self.grow()
        look_at = time.monotonic() + LOOK_AROUND
        try:
            # After an error of a job nothing further is begun; what models are asked already is waited for.
            while self.left and not (self.raised and (self.driver is None or not self.under_way)):
                if time.monotonic() > look_at:
                    self.grow()
                    look_at = time.monotonic() + LOOK_AROUND
                try:
                    what, member, portion, future = self.events.get(timeout=LOOK_AROUND)
                except queue.Empty:
                    continue
                if member not in self.members:
                    continue  # of one that is gone
                if future.exception() is not None:
                    yield from self.replace_dead(member, future.exception())
                elif what == "hello":
                    self.begin_with(member, future.result())
                elif what == "asked":
                    self.answer(member, future.result())
                else:
                    yield from self.receive(member, portion, *future.result())
            if self.raised is not None:
                raise self.raised
        finally:
            self.finish()

    def grow(self) -> None:
        """As many workers as can be used; those that are not there yet take part as soon as they are."""
        most = min(self.together or len(self.jobs), self.left)
        found = int(self.cluster.connect().cluster_resources().get("CPU", 0))
        self.wanted = max(1, min(found, self.cluster.workers or found, most))
        for member in self.cluster.team(self.wanted, self.threads):
            if member not in self.members:
                self.members[member] = None
                member.ready = member.listening = member.alone = False
                self.expect("hello", member, member.handle.hello.remote())

    def expect(self, what: str, member: _WorkerState, reference: Any, portion: int = -1) -> None:
        reference.future().add_done_callback(lambda done: self.events.put((what, member, portion, done)))

    def begin_with(self, member: _WorkerState, version: str) -> None:
        if version != __version__:
            raise MmgamesError(
                f"The workers of the cluster have mmgames {version}, and this is {__version__}; install the same one."
            )
        member.ready = True
        self.listen(member)
        self.hand_out(member)

    def hand_out(self, member: _WorkerState) -> None:
        """Hand out what the worker can take."""
        most = self.threads if self.together else AHEAD
        while member.ready and not member.alone and len(member.portions) < most and self.raised is None:
            if self.together and self.under_way >= self.together:
                return
            if self.suspects and not member.portions:
                numbers, member.alone = [self.suspects.popleft()], True
            else:
                numbers = [self.todo.popleft() for _ in range(min(self.portion_size(), len(self.todo)))]
            if not numbers:
                return
            portion = next(self.numbers)
            member.portions[portion] = numbers
            self.under_way += len(numbers)
            jobs = [self.jobs[number] for number in numbers]
            reference = member.handle.work.remote(self.function.hex(), [self.function], jobs)
            self.expect("work", member, reference, portion)

    def portion_size(self) -> int:
        """How many jobs to hand out at a time: few enough for all to have some until the end."""
        if self.together or not self.seconds:
            return 1
        share = len(self.todo) // (AHEAD * len(self.members))
        seconds = max(PORTION_SECONDS, PORTION_SECONDS_PER_WORKER * len(self.members))
        return max(1, min(int(seconds / self.seconds), share, LONGEST_PORTION))

    def receive(
        self, member: _WorkerState, portion: int, done: list[tuple[bool, Any]], seconds: float
    ) -> Iterator[Any]:
        """What a worker has done."""
        numbers = member.portions.pop(portion)
        member.alone = False
        self.under_way -= len(numbers)
        self.lost_in_a_row = 0
        took = seconds / len(done)
        self.seconds = took if self.seconds is None else (self.seconds + took) / 2
        self.hand_out(member)  # before the results are written, so that it need not wait for that
        for fine, value in done:
            if fine:
                self.left -= 1
                yield value
            else:
                self.raised = self.raised or value

    def listen(self, member: _WorkerState) -> None:
        if self.driver is not None:
            member.listening = True
            self.expect("asked", member, member.handle.requests.remote())

    def answer(self, member: _WorkerState, asked: list[Any]) -> None:
        """Ask the journal in the worker's place."""
        for number, what, arguments in asked:
            try:
                if what not in DRIVER_METHODS:
                    raise MmgamesError(f"A worker asks {what!r}, which is none of {', '.join(DRIVER_METHODS)}.")
                fine, value = True, getattr(self.driver, what)(*arguments)
            except Exception as error:
                fine, value = False, _that_travels(error)
            member.handle.answer.remote(number, fine, value)
        self.listen(member)

    def replace_dead(self, member: _WorkerState, error: BaseException) -> Iterator[Any]:
        """A worker is gone, and others do what it had; a job that kills one worker after the other is given up."""
        from ray.exceptions import RayActorError

        said = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        if not isinstance(error, RayActorError):
            raise MmgamesError(
                f"A worker of the cluster cannot do this: {said[-1]} What a run needs has to be installed on every "
                "machine, agents of your own too."
            ) from error
        del self.members[member]
        self.cluster.dismiss(member)
        self.lost_in_a_row += 1
        if self.lost_in_a_row > MOST_DEATHS * self.wanted + MOST_DEATHS:
            raise MmgamesError(KEEP_DYING)
        if not member.ready and self.lost_in_a_row >= MOST_DEATHS:
            raise MmgamesError(f"The workers of the cluster do not start: {said[-1]}") from error
        for number in itertools.chain.from_iterable(member.portions.values()):
            self.under_way -= 1
            self.deaths[number] += member.alone
            if self.deaths[number] < MOST_DEATHS:
                self.suspects.append(number)
            elif self.died is None:
                raise MmgamesError(KEEP_DYING)
            else:
                self.left -= 1
                yield self.died(*self.jobs[number])
        self.grow()
        for other in self.members:
            self.hand_out(other)

    def finish(self) -> None:
        """Workers stay for the next call of `run_jobs`; those in the middle of something, or not yet there, do not."""
        for member in self.members:
            if member.portions or not member.ready:
                self.cluster.dismiss(member)
                continue
            member.handle.end_run.remote()
            if member.listening:
                member.handle.stop_asking.remote()
