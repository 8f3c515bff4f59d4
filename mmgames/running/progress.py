"""Progress of long work: a bar on a terminal, plain lines otherwise, nothing when it is not wanted."""

from __future__ import annotations

import sys
from typing import Any


class Progress:
    """Counts to `total`; use as a context manager and call `advance()`."""

    def __init__(self, total: int, label: str, done: int = 0, show: bool = True) -> None:
        self.total, self.label, self.done, self.show = total, label, done, show
        self._bar: Any = None
        self._said = self._tenths()

    def _tenths(self) -> int:
        return 10 * self.done // max(self.total, 1)

    def __enter__(self) -> Progress:
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
            print(f"{self.label}: {self.done} of {self.total}", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
