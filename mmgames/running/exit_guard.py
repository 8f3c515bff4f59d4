"""`os._exit` in an agent ends its episode and not the whole match, which would go without a word."""

from __future__ import annotations

import os
import threading
from typing import NoReturn

from mmgames.errors import MmgamesError


class Exited(MmgamesError):
    """Somebody's code wanted to end the whole program."""


_asked = threading.local()
_exit = os._exit


class NoExit:
    """While an agent is asked in this thread, `os._exit` raises there.

    A process that the agent has forked leaves as it wants to, and so do other threads. What happens in compiled code
    (a crash, `abort`) is beyond this; then the results so far are in their file, and worker processes are replaced.
    """

    def __enter__(self) -> None:
        if os._exit is not _exit_unless_asked:  # once: it does what it always did, except where an agent is asked
            global _exit
            _exit = os._exit
            os._exit = _exit_unless_asked
        _asked.process = os.getpid()

    def __exit__(self, *_: object) -> None:
        _asked.process = None


def _exit_unless_asked(status: int) -> NoReturn:
    if getattr(_asked, "process", None) == os.getpid():
        raise Exited(f"called os._exit({status}), which would have ended the whole program.")
    _exit(status)
