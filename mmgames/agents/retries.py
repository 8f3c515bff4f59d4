"""Asking again when a service does not answer: how often, how long to wait between, and how long if it is away."""

import random
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mmgames.errors import ServiceRefused, Unavailable

Result = TypeVar("Result")

_jitter = random.Random()  # for waits alone: it changes no result, and two runs should not ask at the same moments
_sleep = time.sleep
_paused = threading.local()  # of each thread, the seconds for which it has waited for services that were away
AWAY = 1800.0
"""For so many seconds a run waits for a service that is away, unless it is told otherwise."""
AGAIN = "What is finished is kept; start the same again to go on."
LONGEST_PAUSE = 30.0  # seconds between two tries whether it is back


@dataclass(frozen=True)
class RetryPolicy:
    """How often a call is made that raises `Unavailable`, and the seconds between.

    The first wait is `first_wait`, and each is twice as long as the one before, up to `longest_wait`. Of that a random
    part is waited, half at least. A wait that the service asks for is kept as it is; one that is longer than
    `longest_wait` is not waited for: it is not asked again before its time.

    A service that is then still `away`, or asks for longer, is waited for up to so many seconds, after which the run
    ends: further calls would wait as long. With 0 the call is given up like any other.
    """

    tries: int = 4
    first_wait: float = 0.5
    longest_wait: float = 30.0
    away: float = AWAY

    def wait(self, failures: int, asked: float | None = None) -> float:
        """How many seconds to wait after so many failures in a row; `asked` is what the service asks for."""
        if asked is not None and asked >= 0:
            return asked
        return min(self.longest_wait, self.first_wait * 2.0 ** min(60, failures - 1)) * _jitter.uniform(0.5, 1.0)

    def call(self, function: Callable[[], Result]) -> Result:
        """What `function` returns. The last `Unavailable` is raised, or the first that asking again cannot mend."""
        failures, paused = 0, 0.0
        while True:
            try:
                return function()
            except Unavailable as error:
                failures += 1
                if not error.can_retry or (failures >= self.tries and not (error.away and self.away)):
                    raise
                away = self.away if error.away else 0.0
                longest = max(self.longest_wait, away - paused)
                if (error.wait or 0.0) > longest:
                    limit = f"{error} (asked to wait {error.wait:.0f} s, longer than the {longest:g} s allowed)"
                    if away:
                        raise ServiceRefused(f"{limit}. {AGAIN}") from error
                    raise Unavailable(limit, error.wait, can_retry=False) from error
                wait = self.wait(failures, error.wait)
                if failures >= self.tries or wait > self.longest_wait:
                    wait = max(1.0, min(wait, error.wait or LONGEST_PAUSE))
                    self._pause(error, paused, wait)
                    paused += wait
                _sleep(wait)

    def _pause(self, error: Unavailable, before: float, wait: float) -> None:
        """Say that the run waits, and count it; after so long it ends."""
        minutes = f"{self.away / 60:.3g} minutes"
        if before >= self.away:
            raise ServiceRefused(f"{error}; it was waited for, for {minutes} (away=). {AGAIN}") from error
        if not before:
            warnings.warn(f"{error}; the run waits up to {minutes} for it to be back (away=).", stacklevel=3)
        _paused.seconds = paused_seconds() + wait


def paused_seconds() -> float:
    """For how many seconds this thread has waited so far for services that were away; that is nobody's time to move."""
    return getattr(_paused, "seconds", 0.0)


DEFAULT_RETRIES = RetryPolicy()
"""How matches and suites ask agents again that do not choose otherwise (`Agent.retry_policy`)."""
NO_RETRIES = RetryPolicy(tries=1, away=0.0)
"""For agents that ask their service again themselves."""
