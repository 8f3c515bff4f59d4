"""What the PettingZoo peers share: an AEC environment and random legal moves, with a picture of every position and
without, the latter on the raw environment that no wrapper slows down."""

from __future__ import annotations

import json
import os
import random
import time
from importlib.metadata import version
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"

SECONDS = 1.0
ROUNDS = 3
SIZE = 512


def steps_per_second(env: Any, seed: int) -> float:
    draw = random.Random(seed).random
    steps = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            if env.render_mode:
                env.render()
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw() * len(legal))]))
            steps += 1
    return steps / (time.perf_counter() - start)


def tell(module: Any, name: str, game: str) -> None:
    """Measure PettingZoo's module of that name beside a game of ours and print both rows."""
    pictured = {"render_mode": "rgb_array", "screen_height": SIZE}
    for measure, make, options, how in (
        ("picture", module.env, pictured, f"{name}, AEC, rgb_array {SIZE}"),
        ("numbers", module.raw_env, {}, f"{name} raw, AEC, observation + action mask"),
    ):
        row = {
            "measure": measure,
            "game": game,
            "value": max(steps_per_second(make(**options), seed) for seed in range(ROUNDS)),
            "unit": "steps/s",
            "how": how,
            "library": f"PettingZoo {version('pettingzoo')}",
            "settings": options,
        }
        print(json.dumps(row))
