"""How often somebody may ask."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable


class RateLimit:
    """So many requests a second, and a `burst` at once, for each of many; who asked longest ago is forgotten."""

    def __init__(
        self, rate: float, burst: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self.most, self._clock = rate, burst, most, clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, who: Hashable) -> bool:
        """Whether one more request is granted."""
        now = self._clock()
        left, then = self._left.pop(who, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        granted = left >= 1.0
        self._left[who] = (left - granted, now)
        while len(self._left) > self.most:
            self._left.popitem(last=False)
        return granted
