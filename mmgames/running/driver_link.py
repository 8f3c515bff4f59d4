"""What workers on other machines ask the driver, which is the process that began the run.

A journal, a budget and a rate limit are one for a whole run, wherever its episodes are played. They stay in the driver;
workers ask there, before a call and after it.
"""

from collections.abc import Callable
from typing import Any

DRIVER_METHODS = ("begin", "end", "next_turn", "completion_tokens", "clocked")
"""What may be asked: methods of the run's journal."""

_ask: Callable[[str, tuple[Any, ...]], Any] | None = None


def connect_to_driver(ask: Callable[[str, tuple[Any, ...]], Any]) -> None:
    """This process is a worker, and `ask(method, arguments)` asks its driver."""
    global _ask
    _ask = ask


def in_remote_worker() -> bool:
    """Whether this process is a worker that has a driver to ask."""
    return _ask is not None


def ask_driver(method: str, *arguments: Any) -> Any:
    """What the run's journal answers; what it raises is raised here."""
    if _ask is None:
        raise RuntimeError(f"{method!r} is asked in the process that began the run.")
    return _ask(method, arguments)
