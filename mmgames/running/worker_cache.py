"""What a worker process keeps from job to job, such as a game with its players."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.util import Finalize
from typing import Any, Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


Thing = TypeVar("Thing", bound=Closable)

_to_close: list[Callable[[], None]] = []


def close_caches() -> None:
    """In a worker: there is no more work of this run, so what it keeps is closed."""
    while _to_close:
        _to_close.pop()()


class WorkerCache(Generic[Thing]):
    """Things that a worker makes once and uses for many jobs; no two threads use the same one at a time.

    `make(*key)` makes one where there is none to spare. All are closed when the work is done.
    """

    def __init__(self, make: Callable[..., Thing]) -> None:
        self._make = make
        self._spare: dict[tuple[Any, ...], list[Thing]] = {}

    @contextmanager
    def borrow(self, *key: Any) -> Iterator[Thing]:
        """One for the time of a job."""
        if key not in self._spare:
            if not _to_close:
                Finalize(None, close_caches, exitpriority=1)  # a worker's own way to hear that it is done
            self._spare[key] = []
            _to_close.append(lambda: self._close(key))
        spare = self._spare[key]
        try:
            thing = spare.pop()
        except IndexError:
            thing = self._make(*key)
        try:
            yield thing
        finally:
            spare.append(thing)

    def _close(self, key: tuple[Any, ...]) -> None:
        for thing in self._spare.pop(key, ()):
            thing.close()
