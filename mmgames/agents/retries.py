"""Patience with services: not asked too often, and asked again after a while, which grows and is never the same."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mmgames.errors import MmgamesError, Unavailable
from mmgames.running.driver_link import ask_home, is_away

Result = TypeVar("Result")

_chance = random.Random()  # of waiting alone: it changes no result, and two runs should not wait in step
_sleep = time.sleep


@dataclass(frozen=True)
class Patience:
    """How often something is tried, and how long the waits between are: `first` seconds, then twice that, up to `most`.

    Each wait is shortened by chance, to half at least; one that a service asks for is kept as it is, up to `most`.
    """

    tries: int = 4
    first: float = 0.5
    most: float = 30.0

    def wait(self, failures: int, asked: float | None = None) -> float:
        """How long to wait after so many failures in a row."""
        if asked is not None and 0 <= asked <= self.most:
            return asked
        return min(self.most, self.first * 2.0 ** (failures - 1)) * _chance.uniform(0.5, 1.0)

    def call(self, function: Callable[[], Result]) -> Result:
        """What `function` gives; tried again while it raises `Unavailable`, unless it says it was patient itself."""
        failures = 0
        while True:
            try:
                return function()
            except Unavailable as error:
                failures += 1
                if error.tried:
                    raise
                if failures >= self.tries:  # whoever asked for this need not begin anew
                    raise Unavailable(str(error), error.wait, tried=True) from error
                _sleep(self.wait(failures, error.wait))


class Pace:
    """Lets threads through one after the other, at most so many a minute; None lets all through.

    In a worker on another machine the run is asked, so that all workers together keep the pace of the service `name`.
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
            away = is_away()
            seconds = ask_home("pace", self._name, self._per_minute) if away else self.turn()
            if seconds > 0:
                _sleep(seconds)

    def turn(self) -> float:
        """In how many seconds it is this caller's turn."""
        if not self._per_minute:
            return 0.0
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self._per_minute
        return turn - now


PATIENCE = Patience()
"""What matches and suites have with agents."""
