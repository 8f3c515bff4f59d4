"""JaxMARL's Hanabi for two players."""

import jax
import jax.numpy as jnp
from _jaxmarl import tell
from jaxmarl.environments.hanabi.hanabi import HanabiEnv


def legal_action(env, state, agent, key, num_envs):
    legal = jax.vmap(env.get_legal_moves)(state)[agent]
    return jax.random.categorical(key, jnp.where(legal > 0, 0.0, -1e9))


tell(
    HanabiEnv(num_agents=2),
    "hanabi, 2 players, random legal moves",
    "Hanabi",
    legal_action,
    (256, 1024, 4096),
    steps=20,
)
