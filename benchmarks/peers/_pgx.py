"""What the pgx peers share: an environment on the CPU, vectorised and compiled, the best of several batch sizes.

Random legal actions are drawn inside the compiled loop, episodes that end begin anew, and observations, masks and
rewards are read, as in our batched rows.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

ROUNDS = 3


def steps_per_second(env: pgx.Env, steps: int, num_envs: int) -> float:
    play = jax.vmap(auto_reset(env.step, env.init))

    def step(carry: Any, _: Any) -> Any:
        key, state = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        actions = jax.random.categorical(for_actions, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        state = play(state, actions, jax.random.split(for_steps, num_envs))
        # What a learner would read; it is summed, so that none of it is optimised away.
        return (key, state), (state.observation.sum(), state.legal_action_mask.sum(), state.rewards.sum())

    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), num_envs))
    run = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=steps))
    carry = (jax.random.PRNGKey(1), state)
    jax.block_until_ready(run(carry))
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        jax.block_until_ready(run(carry))
        best = max(best, steps * num_envs / (time.perf_counter() - start))
    return best


def tell(name: str, game: str, sizes: Sequence[int], steps: int) -> None:
    """Measure an environment of pgx's beside a game of ours and print the row."""
    speeds = {num_envs: steps_per_second(pgx.make(name), steps, num_envs) for num_envs in sizes}
    num_envs = max(speeds, key=speeds.__getitem__)
    row = {
        "measure": "batched",
        "game": game,
        "value": speeds[num_envs],
        "unit": "steps/s",
        "how": f"CPU, {name}, random legal moves drawn inside, jit + vmap over {num_envs}, scan, "
        f"{os.cpu_count()} cores; observations, masks and rewards read",
        "library": f"pgx {version('pgx')}",
        "settings": {"num_envs": num_envs, "jax": jax.__version__, "best_of_num_envs": list(sizes)},
    }
    json.dump(row, sys.stdout)
