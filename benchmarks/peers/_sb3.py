"""Stable-Baselines3's PPO over SuperSuit, by the recipe of ours, on our own game.

Run by `benchmarks/train.py`: python _sb3.py GAME '{"rollout": 32, …}' UPDATES COPIES. SuperSuit steps copies of the
parallel environment one after another; one policy with two hidden layers for the policy and two for the value plays all
seats. A step is one of a whole episode, as for the others.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from typing import Any

import supersuit
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback

import mmgames


class Clock(BaseCallback):
    """Looks at the clocks where each rollout ends, so that neither setting up nor the first update counts."""

    def __init__(self) -> None:
        super().__init__()
        self.ticks: list[tuple[float, float]] = []

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.ticks.append((time.perf_counter(), time.process_time()))


def main(game: str, recipe: dict[str, Any], updates: int, copies: int) -> None:
    env = mmgames.parallel_env(game, observe="features", flat=True)
    seats = len(env.possible_agents)
    rows = supersuit.pettingzoo_env_to_vec_env_v1(env)
    rows = supersuit.concat_vec_envs_v1(rows, copies, num_cpus=0, base_class="stable_baselines3")
    batch = recipe["rollout"] * rows.num_envs
    sizes = {"n_steps": recipe["rollout"], "batch_size": batch // recipe["minibatches"], "n_epochs": recipe["epochs"]}
    net = {"net_arch": recipe["layers"]}
    model = PPO("MlpPolicy", rows, **sizes, learning_rate=recipe["rate"], device="cpu", policy_kwargs=net)
    clock = Clock()
    model.learn((updates + 1) * batch, callback=clock)
    (wall, cpu), (wall_end, cpu_end) = clock.ticks[0], clock.ticks[-1]
    steps = (len(clock.ticks) - 1) * batch / seats
    row = {
        "library": f"stable-baselines3 {version('stable-baselines3')}, supersuit {version('supersuit')}",
        "num_envs": copies,
        "steps_per_second": steps / (wall_end - wall),
        "steps_per_cpu_second": steps / (cpu_end - cpu),
    }
    print(json.dumps(row))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
