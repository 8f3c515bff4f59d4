"""Long patterns are compiled when they are first looked for: a process that reads no replies does not wait for them."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast


class _Pattern:
    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = getattr(self._compiled, name)
        return found


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, which is called when something is asked of the pattern."""
    return cast("re.Pattern[str]", _Pattern(source, flags))
