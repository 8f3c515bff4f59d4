"""PettingZoo's knights_archers_zombies: all agents of a cycle, with pictures and without."""

from __future__ import annotations

import os
import random
from functools import partial
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from _rows import rate, tell
from pettingzoo.butterfly.knights_archers_zombies.knights_archers_zombies import parallel_env

GAME, NAME = "KnightsArchersZombies", "knights_archers_zombies_v11"


def cycles(env: Any, seed: int, luck: random.Random) -> int:
    """Cycles of an episode in which every living agent acts at random and observes."""
    done = 0
    env.reset(seed=seed)
    while env.agents:
        env.step({agent: luck.randrange(6) for agent in env.agents})
        if env.render_mode:
            env.render()
        done += 1
    return done


for measure, unit, options, how in (
    ("picture", "steps/s", {"render_mode": "rgb_array"}, f"{NAME}, parallel, rgb_array 1280×720"),
    ("batched", "env steps/s", {}, f"{NAME}, parallel, one process, vector observations"),
):
    value = rate(partial(cycles, parallel_env(**options)))
    tell(measure, GAME, value, unit, how, "pettingzoo", "PettingZoo {}", **options)
