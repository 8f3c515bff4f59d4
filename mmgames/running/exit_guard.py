"""`os._exit` in an agent ends its episode and not the whole match, which would go without a word."""

from __future__ import annotations

import os
import threading
from typing import NoReturn

from mmgames.errors import MmgamesError


class Exited(MmgamesError):
    """Somebody's code wanted to end the whole program."""


_guarded = threading.local()  # the process in which this thread asks an agent
_lock = threading.Lock()
_inside = 0  # how many threads ask agents now
_real_exit = os._exit


class ExitGuard:
    """While an agent is asked in this thread, `os._exit` raises there; afterwards it is what it was.

    A process that the agent has forked leaves as it wants to, and so do other threads. What happens in compiled code
    (a crash, `abort`) is beyond this; then the results so far are in their file, and worker processes are replaced.
    """

    def __enter__(self) -> None:
        global _inside, _real_exit
        with _lock:
            _inside += 1
            if _inside == 1:
                _real_exit, os._exit = os._exit, _exit_unless_guarded
        _guarded.process = os.getpid()

    def __exit__(self, *_: object) -> None:
        global _inside
        _guarded.process = None
        with _lock:
            _inside -= 1
            if not _inside:
                os._exit = _real_exit


no_exit = ExitGuard()


def _exit_unless_guarded(status: int) -> NoReturn:
    if getattr(_guarded, "process", None) == os.getpid():
        raise Exited(f"called os._exit({status}), which would have ended the whole program.")
    _real_exit(status)
