"""What the pgx peers share: an environment, vectorised and compiled, the best of several batch sizes.

Random legal actions are drawn inside the compiled loop, episodes that end begin anew, and observations, masks and
rewards are read, as in our batched rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import _jax
import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset


def steps_per_second(env: pgx.Env, steps: int, num_envs: int) -> float:
    play = jax.vmap(auto_reset(env.step, env.init))

    def step(carry: Any, _: Any) -> Any:
        key, state = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        actions = jax.random.categorical(for_actions, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        state = play(state, actions, jax.random.split(for_steps, num_envs))
        return (key, state), (state.observation.sum(), state.legal_action_mask.sum(), state.rewards.sum())

    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), num_envs))
    return _jax.steps_per_second(step, state, steps, num_envs)


def tell(name: str, game: str, sizes: Sequence[int], steps: int) -> None:
    """Measure an environment of pgx's beside a game of ours and print the row."""
    what = f"{name}, random legal moves drawn inside; observations, masks and rewards read"
    measure = partial(steps_per_second, pgx.make(name), steps)
    _jax.tell(measure, sizes, game, what, "steps/s", "pgx", "pgx {}")
