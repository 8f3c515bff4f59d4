"""What the PettingZoo peers share: an AEC environment and random legal moves, with a picture of every position and
without, the latter on the raw environment that no wrapper slows down."""

from __future__ import annotations

import os
import random
from functools import partial
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"

import _rows

SIZE = 512


def episode(env: Any, seed: int, luck: random.Random) -> int:
    """The steps of a random episode."""
    steps = 0
    env.reset(seed=seed)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        if env.render_mode:
            env.render()
        legal = observation["action_mask"].nonzero()[0]
        env.step(int(legal[int(luck.random() * len(legal))]))
        steps += 1
    return steps


def tell(module: Any, name: str, game: str) -> None:
    """Measure PettingZoo's module of that name beside a game of ours and print both rows."""
    pictured = {"render_mode": "rgb_array", "screen_height": SIZE}
    for measure, make, options, how in (
        ("picture", module.env, pictured, f"{name}, AEC, rgb_array {SIZE}"),
        ("numbers", module.raw_env, {}, f"{name} raw, AEC, observation + action mask"),
    ):
        value = _rows.rate(partial(episode, make(**options)))
        _rows.tell(measure, game, value, "steps/s", how, "pettingzoo", "PettingZoo {}", **options)
