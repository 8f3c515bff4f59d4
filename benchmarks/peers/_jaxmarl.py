"""What the JaxMARL peers share: an environment on the CPU, vectorised and compiled, the best of several batch sizes."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"

import jax

ROUNDS = 3


def any_action(count: int) -> Callable[[Any, Any, str, Any, int], Any]:
    """Actions for one agent of all environments: any of so many."""
    return lambda env, state, agent, key, num_envs: jax.random.randint(key, (num_envs,), 0, count)


def read_all(observed: Any, rewards: Any, infos: Any) -> list[Any]:
    """What a learner would read; it is summed, so that none of it is optimised away."""
    return [*observed.values(), *rewards.values()]


def steps_per_second(env: Any, act: Callable[..., Any], read: Callable[..., Any], steps: int, num_envs: int) -> float:
    def step(carry: Any, _: Any) -> Any:
        key, state = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        actions = {
            agent: act(env, state, agent, jax.random.fold_in(for_actions, i), num_envs)
            for i, agent in enumerate(env.agents)
        }
        observed, state, rewards, _, infos = jax.vmap(env.step)(jax.random.split(for_steps, num_envs), state, actions)
        return (key, state), [values.sum() for values in read(observed, rewards, infos)]

    _, state = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), num_envs))
    run = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=steps))
    carry = (jax.random.PRNGKey(1), state)
    jax.block_until_ready(run(carry))
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        jax.block_until_ready(run(carry))
        best = max(best, steps * num_envs / (time.perf_counter() - start))
    return best


def tell(
    make: Callable[[], Any],
    name: str,
    game: str,
    act: Callable[..., Any],
    sizes: Sequence[int],
    steps: int = 50,
    read: Callable[..., Any] = read_all,
) -> None:
    """Measure an environment beside a game of ours and print the row."""
    speeds = {num_envs: steps_per_second(make(), act, read, steps, num_envs) for num_envs in sizes}
    num_envs = max(speeds, key=speeds.__getitem__)
    row = {
        "measure": "batched",
        "game": game,
        "value": speeds[num_envs],
        "unit": "env steps/s",
        "how": f"CPU, {name} drawn inside, jit + vmap over {num_envs}, scan, {os.cpu_count()} cores; observations and "
        "rewards read",
        "library": f"JaxMARL {version('jaxmarl')}",
        "settings": {"num_envs": num_envs, "jax": jax.__version__},
    }
    json.dump(row, sys.stdout)
