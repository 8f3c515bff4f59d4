"""Options of the faces: those of the batched ones, and the checks that several faces share."""

import os
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import numpy as np
from gymnasium.vector import AutoresetMode

from mmgames.core.constants import IllegalPolicy
from mmgames.errors import MmgamesError, unknown

BATCH_KEYS = ("features", "action_mask")
"""What a batched face observes unless it is told."""
BATCH_OPTIONS = (
    "observe", "flat", "size", "illegal", "max_steps", "autoreset_mode", "statistics", "threads", "copy", "device",
)  # fmt: skip
"""What both batched faces take besides the options of their game."""


def at_least_one(name: str, value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise MmgamesError(f"{where}: {name}={value!r} is out of range; it must be at least 1.")
    return int(value)


def check_illegal_policy(illegal: Any, where: str) -> None:
    if illegal not in get_args(IllegalPolicy):
        raise unknown("illegal policy", illegal, where, get_args(IllegalPolicy))


def find_autoreset_mode(given: AutoresetMode | str, where: str) -> AutoresetMode:
    for mode in AutoresetMode:
        if given == mode or str(given).lower() in (str(mode.value).lower(), mode.name.lower()):
            return mode
    raise unknown("autoreset mode", given, where, [str(mode.value) for mode in AutoresetMode])


def check_batch_keys(observe: Iterable[str] | str | None, known: Sequence[str], where: str) -> tuple[str, ...]:
    asked = BATCH_KEYS if observe is None else (observe,) if isinstance(observe, str) else tuple(observe)
    for key in asked:
        if key not in known:
            raise unknown("observation", key, f"{where}, batched", known)
    if not asked:
        raise MmgamesError(f"{where}: observe= names nothing. Known: {', '.join(known)}.")
    return asked


def count_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def loops_on(device: str, threads: int, where: str) -> Any:
    """What runs loops over states: threads of the processor, or a card."""
    if device == "cpu":
        from mmgames.kernels.threads import Threads

        return Threads(threads)
    if device == "cuda":
        from mmgames.kernels.card import card

        return card()
    raise unknown("device", device, where, ("cpu", "cuda"))
