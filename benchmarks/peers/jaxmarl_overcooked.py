"""JaxMARL's Overcooked on the CPU, vectorised and compiled: the best of several batch sizes."""

from __future__ import annotations

import json
import sys
import time
import warnings
from importlib.metadata import version

import jax
from jaxmarl.environments.overcooked import Overcooked

STEPS = 50
ROUNDS = 3


def steps_per_second(env: Overcooked, num_envs: int) -> float:
    def step(carry, _):
        key, state = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        actions = {
            agent: jax.random.randint(jax.random.fold_in(for_actions, i), (num_envs,), 0, 6)
            for i, agent in enumerate(env.agents)
        }
        observed, state, rewards, _, infos = jax.vmap(env.step)(jax.random.split(for_steps, num_envs), state, actions)
        # Everything a learner would read is summed, so that none of it is optimised away.
        read = (*observed.values(), *rewards.values(), *infos["shaped_reward"].values())
        return (key, state), [values.sum() for values in read]

    _, state = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), num_envs))
    run = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=STEPS))
    carry = (jax.random.PRNGKey(1), state)
    jax.block_until_ready(run(carry))
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        jax.block_until_ready(run(carry))
        best = max(best, STEPS * num_envs / (time.perf_counter() - start))
    return best


warnings.simplefilter("ignore", DeprecationWarning)  # it recommends its second version, which has other rules
speeds = {num_envs: steps_per_second(Overcooked(max_steps=STEPS), num_envs) for num_envs in (1024, 4096, 16384)}
num_envs = max(speeds, key=speeds.__getitem__)
row = {
    "measure": "batched",
    "game": "mmgames/Overcooked-v0",
    "value": speeds[num_envs],
    "unit": "env steps/s",
    "how": f"cramped_room, jit + vmap over {num_envs}, scan, observations and rewards read",
    "library": f"JaxMARL {version('jaxmarl')}",
    "settings": {"num_envs": num_envs, "jax": jax.__version__},
}
json.dump(row, sys.stdout)
