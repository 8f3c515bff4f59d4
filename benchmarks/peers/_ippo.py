"""IPPO written in JAX over JaxMARL's environments, by the recipe of ours: one function, compiled whole.

Run by `benchmarks/train.py`, which passes the recipe and says where: python _ippo.py GAME '{"num_envs": 1024, …}'. A
shared network of two hidden layers plays all seats; everything from the environment's step to Adam's is inside one jit.
"""

# ruff: noqa: E402 - JAX is told its platform first

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from importlib.metadata import version
from typing import Any

os.environ["JAX_PLATFORMS"] = os.environ.get("MMGAMES_BENCH_DEVICE", "cpu")
warnings.simplefilter("ignore")

import jax
import jax.numpy as jnp
import optax


def make(game: str) -> tuple[Any, int]:
    """The environment and its number of actions."""
    if game == "mmgames/CoinDilemma-v0":
        from jaxmarl.environments.coin_game import CoinGame

        return CoinGame(num_inner_steps=50), 5
    from jaxmarl.environments.overcooked import Overcooked

    return Overcooked(max_steps=50), 6


def main(game: str, recipe: dict[str, Any], rounds: int) -> None:
    env, actions = make(game)
    agents, n, steps = env.agents, recipe["num_envs"], recipe["rollout"]
    many = len(agents)

    def flat(observed: dict[str, Any]) -> Any:
        return jnp.stack([observed[agent].reshape(n, -1).astype(jnp.float32) for agent in agents], 1)

    observed, state = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), n))
    first = flat(observed)
    sizes = [first.shape[-1], *recipe["layers"], actions + 1]
    keys = jax.random.split(jax.random.PRNGKey(1), len(sizes))
    weights = [
        (jax.nn.initializers.orthogonal(2**0.5)(key, (into, out)), jnp.zeros(out))
        for key, into, out in zip(keys, sizes, sizes[1:], strict=False)
    ]
    adam = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(recipe["rate"], eps=1e-5))

    def net(weights: Any, x: Any) -> tuple[Any, Any]:
        for weight, bias in weights[:-1]:
            x = jax.nn.relu(x @ weight + bias)
        x = x @ weights[-1][0] + weights[-1][1]
        return jax.nn.log_softmax(x[..., :actions]), x[..., actions]

    def step(carry: Any, _: Any) -> Any:
        weights, state, seen, key = carry
        key, act_key, step_key = jax.random.split(key, 3)
        likely, value = net(weights, seen)
        action = jax.random.categorical(act_key, likely)
        chosen = jnp.take_along_axis(likely, action[..., None], -1)[..., 0]
        moves = {agent: action[:, i] for i, agent in enumerate(agents)}
        observed, state, rewards, done, info = jax.vmap(env.step)(jax.random.split(step_key, n), state, moves)
        paid = jnp.stack([rewards[agent] for agent in agents], 1).reshape(n, many).astype(jnp.float32)
        if "shaped_reward" in info:
            paid = paid + jnp.stack([info["shaped_reward"][agent] for agent in agents], 1)
        over = done["__all__"].reshape(n)
        return (weights, state, flat(observed), key), (seen, action, chosen, value, paid, over)

    def loss_of(weights: Any, batch: Any) -> Any:
        seen, action, before, advantage, returns = batch
        likely, value = net(weights, seen)
        ratio = jnp.exp(jnp.take_along_axis(likely, action[:, None], -1)[:, 0] - before)
        clipped = jnp.clip(ratio, 1 - recipe["clip"], 1 + recipe["clip"])
        policy = -jnp.minimum(ratio * advantage, clipped * advantage).mean()
        entropy = -(jnp.exp(likely) * likely).sum(-1).mean()
        return policy + 0.5 * jnp.square(value - returns).mean() - recipe["entropy"] * entropy

    def minibatch(carry: Any, batch: Any) -> Any:
        weights, adam_state = carry
        gradient = jax.grad(loss_of)(weights, batch)
        change, adam_state = adam.update(gradient, adam_state)
        return (optax.apply_updates(weights, change), adam_state), None

    @jax.jit
    def update(weights: Any, adam_state: Any, state: Any, seen: Any, key: Any) -> Any:
        (_, state, seen, key), (saw, action, chosen, value, paid, over) = jax.lax.scan(
            step, (weights, state, seen, key), None, steps
        )
        shared = recipe["sharing"]
        paid = (1 - shared) * paid + shared * paid.mean(-1, keepdims=True)
        last = net(weights, seen)[1]

        def back(carry: Any, at: Any) -> Any:
            gain, following = carry
            paid, value, over = at
            goes_on = 1.0 - over[:, None]
            decay = recipe["gamma"] * recipe["gae"]
            gain = paid + recipe["gamma"] * following * goes_on - value + decay * goes_on * gain
            return (gain, value), gain

        _, gains = jax.lax.scan(back, (jnp.zeros_like(last), last), (paid, value, over), reverse=True)
        data = [saw, action, chosen, (gains - gains.mean()) / (gains.std() + 1e-8), gains + value]
        data = [part.reshape(steps * n * many, *part.shape[3:]) for part in data]
        carry = weights, adam_state
        for _ in range(recipe["epochs"]):
            key, shuffle = jax.random.split(key)
            order = jax.random.permutation(shuffle, steps * n * many)
            parts = [part[order].reshape(recipe["minibatches"], -1, *part.shape[1:]) for part in data]
            carry, _ = jax.lax.scan(minibatch, carry, tuple(parts))
        return (*carry, state, seen, key), paid.sum() / jnp.maximum(over.sum() * many, 1)

    running = weights, adam.init(weights), state, first, jax.random.PRNGKey(2)
    running, returns = jax.block_until_ready(update(*running))  # compiles
    begun, used = time.perf_counter(), time.process_time()
    for _ in range(rounds):
        running, returns = update(*running)
    jax.block_until_ready(returns)
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    row = {
        "library": f"JaxMARL {version('jaxmarl')}, JAX {jax.__version__}",
        "steps_per_second": rounds * n * steps / wall,
        "steps_per_cpu_second": rounds * n * steps / cpu,
        "inputs": int(first.shape[-1]),
        "return": float(returns),
    }
    print(json.dumps(row))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]))
