"""`os._exit` in an agent ends its episode and not the whole match, which would go without a word."""

from __future__ import annotations

import os
import threading
from types import TracebackType

from mmgames.core.errors import MmgamesError


class Exited(MmgamesError):
    """Somebody's code wanted to end the whole program."""


class NoExit:
    """While an agent is asked in this thread, `os._exit` raises there.

    A process that the agent has forked leaves as it wants to, and so do other threads. What happens in compiled code
    (a crash, `abort`) is beyond this; then the results so far are in their file, and worker processes are replaced.
    """

    _lock = threading.Lock()
    _asked = threading.local()
    _users = 0
    _real = staticmethod(os._exit)

    def __enter__(self) -> None:
        self._asked.process = os.getpid()
        with NoExit._lock:
            if not NoExit._users:
                NoExit._real, os._exit = staticmethod(os._exit), NoExit._refuse  # type: ignore[assignment]
            NoExit._users += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._asked.process = None
        with NoExit._lock:
            NoExit._users -= 1
            if not NoExit._users:
                os._exit = NoExit._real

    @staticmethod
    def _refuse(status: int = 0) -> None:
        if getattr(NoExit._asked, "process", None) != os.getpid():
            NoExit._real(status)
        raise Exited(f"called os._exit({status}), which would have ended the whole program.")
