"""`os._exit` in an agent ends its episode and not the whole match, which would go without a word."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from mmgames.errors import MmgamesError


class Exited(MmgamesError):
    """Somebody's code wanted to end the whole program."""


_asked = threading.local()  # the process in which this thread asks an agent
_lock = threading.Lock()
_episodes = 0  # how many are under way
_real_exit = os._exit


@contextmanager
def guarded_exit() -> Iterator[None]:
    """While an episode is played, `os._exit` raises where `no_exit` says so; afterwards it is what it was."""
    global _episodes, _real_exit
    with _lock:
        _episodes += 1
        if _episodes == 1:
            _real_exit, os._exit = os._exit, _exit_unless_asked
    try:
        yield
    finally:
        with _lock:
            _episodes -= 1
            if not _episodes:
                os._exit = _real_exit


class NoExit:
    """While an agent is asked in this thread, a guarded `os._exit` raises there.

    A process that the agent has forked leaves as it wants to, and so do other threads. What happens in compiled code
    (a crash, `abort`) is beyond this; then the results so far are in their file, and worker processes are replaced.
    """

    def __enter__(self) -> None:
        _asked.process = os.getpid()

    def __exit__(self, *_: object) -> None:
        _asked.process = None


no_exit = NoExit()


def _exit_unless_asked(status: int) -> NoReturn:
    if getattr(_asked, "process", None) == os.getpid():
        raise Exited(f"called os._exit({status}), which would have ended the whole program.")
    _real_exit(status)
