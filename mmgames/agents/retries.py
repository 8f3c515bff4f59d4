"""Asking again when a service does not answer: how often, and how long to wait between the tries."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mmgames.errors import Unavailable

Result = TypeVar("Result")

_jitter = random.Random()  # for waits alone: it changes no result, and two runs should not ask at the same moments
_sleep = time.sleep


@dataclass(frozen=True)
class RetryPolicy:
    """How often a call is made that raises `Unavailable`, and the seconds between.

    The first wait is `first_wait`, and each is twice as long as the one before, up to `longest_wait`. Of that a random
    part is waited, half at least. A wait that the service asks for is kept as it is; one that is longer than
    `longest_wait` is not waited for: it is not asked again before its time.
    """

    tries: int = 4
    first_wait: float = 0.5
    longest_wait: float = 30.0

    def wait(self, failures: int, asked: float | None = None) -> float:
        """How many seconds to wait after so many failures in a row; `asked` is what the service asks for."""
        if asked is not None and asked >= 0:
            return asked
        return min(self.longest_wait, self.first_wait * 2.0 ** (failures - 1)) * _jitter.uniform(0.5, 1.0)

    def call(self, function: Callable[[], Result]) -> Result:
        """What `function` returns. The last `Unavailable` is raised, or the first that asking again cannot mend."""
        failures = 0
        while True:
            try:
                return function()
            except Unavailable as error:
                failures += 1
                if failures >= self.tries or not error.can_retry:
                    raise
                if (error.wait or 0.0) > self.longest_wait:
                    limit = f"asked to wait {error.wait:.0f} s, longer than the {self.longest_wait:g} s allowed"
                    raise Unavailable(f"{error} ({limit})", error.wait, can_retry=False) from error
                _sleep(self.wait(failures, error.wait))


DEFAULT_RETRIES = RetryPolicy()
"""How matches and suites ask agents again that do not choose otherwise (`Agent.retry_policy`)."""
NO_RETRIES = RetryPolicy(tries=1)
"""For agents that ask their service again themselves."""
