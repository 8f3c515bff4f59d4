"""What the peers in JAX share: where they run, and the rate of a compiled loop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import _rows

DEVICE = os.environ.get("MMGAMES_BENCH_DEVICE", "cpu")
os.environ["JAX_PLATFORMS"] = DEVICE

import jax  # noqa: E402 - where it runs is settled before

ON_A_CARD = (16384, 65536, 262144)
WHERE = "CPU" if DEVICE == "cpu" else jax.devices()[0].device_kind


def steps_per_second(step: Callable[..., Any], state: Any, steps: int, num_envs: int) -> float:
    """`step` takes and gives a key and states, and what a learner would read; sums of it are kept, so that none of it
    is optimised away."""
    run = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=steps))
    carry = (jax.random.PRNGKey(1), state)
    jax.block_until_ready(run(carry))
    best = 0.0
    for _ in range(_rows.ROUNDS):
        start = time.perf_counter()
        jax.block_until_ready(run(carry))
        best = max(best, steps * num_envs / (time.perf_counter() - start))
    return best


def tell(measure: Callable[[int], float], sizes: Sequence[int], game: str, what: str, unit: str, *library: str) -> None:
    """Measure for several numbers of episodes and print the row of the best."""
    sizes = sizes if DEVICE == "cpu" else ON_A_CARD
    speeds = {num_envs: measure(num_envs) for num_envs in sizes}
    num_envs = max(speeds, key=speeds.__getitem__)
    how = f"{WHERE}, {what}, jit + vmap over {num_envs}, scan, {os.cpu_count()} cores"
    settings = {"num_envs": num_envs, "jax": jax.__version__, "best_of_num_envs": list(sizes)}
    _rows.tell("batched", game, speeds[num_envs], unit, how, *library, **settings)
