"""What the JaxMARL peers share: an environment, vectorised and compiled, the best of several batch sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import _jax
import jax

Act = Callable[[Any, Any, str, Any, int], Any]
"""What draws actions for one agent of all environments."""


def any_action(count: int) -> Act:
    """Any of so many."""
    return lambda env, state, agent, key, num_envs: jax.random.randint(key, (num_envs,), 0, count)


def read_all(observed: Any, rewards: Any, infos: Any) -> list[Any]:
    """What a learner would read."""
    return [*observed.values(), *rewards.values()]


def steps_per_second(env: Any, act: Act, read: Callable[..., Any], steps: int, num_envs: int) -> float:
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
    return _jax.steps_per_second(step, state, steps, num_envs)


def tell(
    env: Any, name: str, game: str, act: Act, sizes: Sequence[int], steps: int = 50, read: Callable[..., Any] = read_all
) -> None:
    """Measure an environment beside a game of ours and print the row."""
    what = f"{name} drawn inside; observations and rewards read"
    measure = partial(steps_per_second, env, act, read, steps)
    _jax.tell(measure, sizes, game, what, "env steps/s", "jaxmarl", "JaxMARL {}")
