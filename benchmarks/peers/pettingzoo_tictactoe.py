"""PettingZoo's tic-tac-toe with a picture of every position, random legal moves."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import version

os.environ["SDL_VIDEODRIVER"] = "dummy"

import numpy as np
from pettingzoo.classic import tictactoe_v3

SECONDS = 1.0
ROUNDS = 3
SIZE = 512


def steps_per_second(seed: int) -> float:
    rng = np.random.default_rng(seed)
    env = tictactoe_v3.env(render_mode="rgb_array", screen_height=SIZE)
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


row = {
    "measure": "picture",
    "game": "mmgames/TicTacToe-v0",
    "value": max(steps_per_second(seed) for seed in range(ROUNDS)),
    "unit": "steps/s",
    "how": f"tictactoe_v3, AEC, rgb_array {SIZE}",
    "library": f"PettingZoo {version('pettingzoo')}",
    "settings": {"size": SIZE},
}
json.dump(row, sys.stdout)
