"""What the PettingZoo peers share: an AEC environment with a picture of every position, random legal moves."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"

import numpy as np

SECONDS = 1.0
ROUNDS = 3
SIZE = 512


def steps_per_second(env: Any, seed: int) -> float:
    rng = np.random.default_rng(seed)
    steps = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.render()
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            steps += 1
    return steps / (time.perf_counter() - start)


def tell(make: Callable[..., Any], name: str, game: str) -> None:
    """Measure an environment that takes `screen_height`, beside a game of ours, and print the row."""
    row = {
        "measure": "picture",
        "game": game,
        "value": max(
            steps_per_second(make(render_mode="rgb_array", screen_height=SIZE), seed) for seed in range(ROUNDS)
        ),
        "unit": "steps/s",
        "how": f"{name}, AEC, rgb_array {SIZE}",
        "library": f"PettingZoo {version('pettingzoo')}",
        "settings": {"size": SIZE},
    }
    json.dump(row, sys.stdout)
