"""A service is not asked more often than its limit allows, by all threads and workers of a run together."""

import threading
import time

from mmgames.errors import MmgamesError
from mmgames.running.driver_link import ask_driver, in_remote_worker

_sleep = time.sleep


class RateLimit:
    """Lets callers through one after the other, at most `per_minute` a minute; None lets all through.

    A worker on another machine asks the driver, so that all workers together keep the limit of the service `name`.
    """

    def __init__(self, per_minute: float | None = None, name: str = "") -> None:
        if per_minute is not None and not (isinstance(per_minute, (int, float)) and per_minute > 0):
            raise MmgamesError(f"per_minute={per_minute!r} is out of range; it is a number above 0.")
        self._per_minute, self._name = per_minute, name
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when it is this caller's turn."""
        if self._per_minute:
            remote = in_remote_worker()
            seconds = ask_driver("next_turn", self._name, self._per_minute) if remote else self.next_turn()
            if seconds > 0:
                _sleep(seconds)

    def next_turn(self) -> float:
        """In how many seconds it is this caller's turn."""
        if not self._per_minute:
            return 0.0
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self._per_minute
        return turn - now
