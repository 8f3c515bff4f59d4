"""What all peers share: a row of the table that they print, and the best of several rounds."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

ROUNDS = 3
SECONDS = 1.0  # of each
Work = Callable[[int, random.Random], float]
"""Does a little and says how much it was."""


def tell(
    measure: str, game: str, value: float, unit: str, how: str, library: str, name: str, /, **settings: Any
) -> None:
    """Print what was measured beside a game of ours; `library` is the distribution, `name` what it and its version are
    called."""
    row = {"measure": measure, "game": f"mmgames/{game}-v0", "value": value, "unit": unit, "how": how}
    print(json.dumps({**row, "library": name.format(version(library)), "settings": settings}), flush=True)


def rate(work: Work) -> float:
    """Things a second: the best of some rounds, each of which has a seed and draws of its own."""
    return max(_round(work, seed) for seed in range(ROUNDS))


def _round(work: Work, seed: int) -> float:
    done, luck, begun = 0.0, random.Random(seed), time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        done += work(seed, luck)
    return done / (time.perf_counter() - begun)
