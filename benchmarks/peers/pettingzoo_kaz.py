"""PettingZoo's knights_archers_zombies: all agents of a cycle, with pictures and without."""

from __future__ import annotations

import json
import os
import random
import time
from importlib.metadata import version
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from pettingzoo.butterfly.knights_archers_zombies.knights_archers_zombies import parallel_env

SECONDS, ROUNDS = 1.0, 3
NAME = "knights_archers_zombies_v11"


def cycles_per_second(env: Any, seed: int) -> float:
    """Cycles in which every living agent acts at random and observes."""
    draw, cycles = random.Random(seed), 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        env.reset(seed=seed)
        while env.agents:
            env.step({agent: draw.randrange(6) for agent in env.agents})
            if env.render_mode:
                env.render()
            cycles += 1
    return cycles / (time.perf_counter() - begun)


for measure, options, how in (
    ("picture", {"render_mode": "rgb_array"}, f"{NAME}, parallel, rgb_array 1280×720"),
    ("batched", {}, f"{NAME}, parallel, one process, vector observations"),
):
    speeds = [cycles_per_second(parallel_env(**options), seed) for seed in range(ROUNDS)]
    row = {
        "measure": measure,
        "game": "mmgames/KnightsArchersZombies-v0",
        "value": max(speeds),
        "unit": "steps/s" if measure == "picture" else "env steps/s",
        "how": how,
        "library": f"PettingZoo {version('pettingzoo')}",
        "settings": options,
    }
    print(json.dumps(row))
