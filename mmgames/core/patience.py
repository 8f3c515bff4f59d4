"""Patience with services that do not answer: asked again after a while, which grows and is never the same."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mmgames.core.errors import Unavailable

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
        return min(self.most, self.first * 2 ** (failures - 1)) * _chance.uniform(0.5, 1.0)

    def call(self, function: Callable[[], Result]) -> Result:
        """What `function` gives; tried again while it raises `Unavailable`, unless it says it was patient itself."""
        for failures in range(1, self.tries):
            try:
                return function()
            except Unavailable as error:
                if error.tried:
                    raise
                _sleep(self.wait(failures, error.wait))
        return function()


PATIENCE = Patience()
"""What matches and suites have with agents."""
