"""Where every generator comes from."""

from __future__ import annotations

import os

import numpy as np
from gymnasium.utils import seeding


def fresh_rng(seed: int | None) -> tuple[np.random.Generator, int]:
    """A generator for a seed; without one, for a seed drawn from the operating system."""
    if seed is None:
        seed = int.from_bytes(os.urandom(8), "little") >> 1
    return seeding.np_random(seed)
