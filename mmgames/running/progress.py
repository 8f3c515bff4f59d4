"""Progress of long work: a bar on a terminal, plain lines otherwise, nothing when it is not wanted."""

import sys
import time
from collections.abc import Callable
from typing import Any, Self

SECONDS_BETWEEN_NOTES = 60.0
_clock = time.monotonic


class Progress:
    """Counts to `total`; use as a context manager and call `advance()`.

    Work that asks models says with `spent` what they have taken so far, and calls `note()` after every call: pieces may
    be long, and where lines are printed there is one every so many `seconds`. The time that is left follows from the
    pieces that were done here, not from those that were there before; until there is one, nothing is said about it.
    """

    def __init__(
        self, total: int, label: str, done: int = 0, show: bool = True, spent: Callable[[], str] | None = None,
        seconds: float = SECONDS_BETWEEN_NOTES,
    ) -> None:  # fmt: skip
        self.total, self.label, self.done, self.show, self.spent = total, label, done, show, spent
        self.seconds = seconds
        self._bar: Any = None
        self._said = self._tenths()
        self._before, self._begun = done, _clock()
        self._told = self._begun

    def _tenths(self) -> int:
        return 10 * self.done // max(self.total, 1)

    def __enter__(self) -> Self:
        if self.show and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=self.total, initial=self.done, desc=self.label, leave=False)
        return self

    def advance(self, by: int = 1) -> None:
        self.done += by
        if self._bar is not None:
            self._bar.update(by)
        elif self.show and self._tenths() > self._said:
            self._said = self._tenths()
            self._print()

    def note(self) -> None:
        """A call was answered: show what is spent, between two pieces too."""
        if self._bar is not None and self.spent is not None:
            self._bar.set_postfix_str(self.spent())
        elif self.show and _clock() - self._told >= self.seconds:
            self._print()

    def _print(self) -> None:
        self._told = _clock()
        told = "" if self.spent is None else f", {self.spent()}{self._left()}"
        print(f"{self.label}: {self.done} of {self.total}{told}", file=sys.stderr, flush=True)

    def _left(self) -> str:
        own, missing = self.done - self._before, self.total - self.done
        if not own or not missing:
            return ""
        seconds = missing * (_clock() - self._begun) / own
        unit, length = next((pair for pair in (("h", 3600), ("min", 60)) if seconds >= 2 * pair[1]), ("s", 1))
        return f", about {seconds / length:.0f} {unit} left"

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
