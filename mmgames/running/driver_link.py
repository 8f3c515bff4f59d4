"""What workers on other machines ask the run they work for.

A journal, a budget and a pace are one for a whole run, wherever its episodes are played. They stay in the process that
began the run; workers ask there, before a call and after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ASKED = ("begin", "end", "pace")
"""What may be asked: methods of the run's journal."""

_way: Callable[[str, tuple], Any] | None = None


def lead_home(way: Callable[[str, tuple], Any]) -> None:
    """This process is a worker, and `way(what, arguments)` asks its run."""
    global _way
    _way = way


def is_away() -> bool:
    """Whether this process is a worker that has a run to ask."""
    return _way is not None


def ask_home(what: str, *arguments: Any) -> Any:
    """What the run's journal answers; what it raises is raised here."""
    if _way is None:
        raise RuntimeError(f"{what!r} is asked in the process that began the run.")
    return _way(what, arguments)
