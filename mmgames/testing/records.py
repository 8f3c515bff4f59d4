"""Digests of seeded episodes through the faces.

`python -m mmgames.testing.records PACKAGE=ID…` prints those of games as JSON, so that a test can compare what another
process saw.
"""

import json
import sys
from typing import Any

import gymnasium
import numpy as np

from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.envs.aec import AecEnv
from mmgames.envs.parallel import ParallelEnv
from mmgames.envs.vector import BatchedEnv
from mmgames.testing.playing import SMALL, all_keys, choose, digest, few

SEED = 24
"""A kitchen with a short plan, which an interpreted search finds at once."""
MOST_STEPS = 100


def aec_record(spec: GameSpec, seed: int = SEED, most: int = MOST_STEPS) -> str:
    """Every observation, reward and info of the first turns of random play, seat by seat."""
    env = AecEnv(spec.id, observe=all_keys(spec), size=SMALL)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    seen: list[str] = []
    for agent in env.agent_iter(few(spec, most)):
        observation, reward, terminated, truncated, info = env.last()
        seen.append(digest(agent, observation, reward, terminated, truncated, info))
        over = terminated or truncated
        env.step(None if over else choose(env.live, env.possible_agents.index(agent), rng))
    return digest(seen)


def parallel_record(spec: GameSpec, seed: int = SEED) -> str:
    env = ParallelEnv(spec.id, observe=all_keys(spec), size=SMALL, max_steps=few(spec, MOST_STEPS))
    seen = [digest(env.reset(seed=seed))]
    rng = np.random.default_rng(seed)
    while env.agents:
        actions = {env.possible_agents[seat]: choose(env.live, seat, rng) for seat in env.live.movers}
        seen.append(digest(env.step(actions)))
    return digest(seen)


def solo_record(spec: GameSpec, seed: int = SEED) -> str:
    """One seat of an episode; the reference agents play the others."""
    env = gymnasium.make(
        spec.id,
        others=[spec.reference_for(seat) for seat in range(1, len(spec.seats))],
        observe=all_keys(spec),
        size=SMALL,
        max_steps=4,
    )
    seen = [digest(env.reset(seed=seed))]
    rng = np.random.default_rng(seed)
    face: Any = env.unwrapped
    over = False
    while not over:
        *result, info = env.step(choose(face.live, face.seat, rng))
        seen.append(digest(result, info))
        over = result[2] or result[3]
    env.close()
    return digest(seen)


def batched_record(
    spec: GameSpec, seed: int = SEED, num_envs: int = 16, steps: int = 60, threads: int | None = None
) -> str:
    """All seats of many episodes of random legal play, through the first restarts."""
    env = BatchedEnv(spec.id, num_envs, threads=threads)
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    seen = [digest(observation)]
    for _ in range(steps):
        observation, *rest = env.step(any_legal(observation["action_mask"], rng))
        seen.append(digest(observation, rest))
    env.close()
    return digest(seen)


def any_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for each row and seat; 0 where there is none."""
    return (masks * rng.uniform(0.5, 1.0, masks.shape)).argmax(axis=-1)


def records(spec: GameSpec) -> dict[str, str]:
    """The digest of each face's episode."""
    made = {"aec": aec_record(spec), "parallel": parallel_record(spec), "solo": solo_record(spec)}
    if spec.batched:
        made["batched"] = batched_record(spec)
    return made


if __name__ == "__main__":
    from mmgames.testing import without_extras

    made = {}
    for package, id in (argument.split("=") for argument in sys.argv[1:]):
        if id not in registry.specs and id.partition("/")[0] not in registry.GUESTS:  # a test has registered it by hand
            registry.add(package)
            if id not in registry.specs:
                registry.register(without_extras(registry.find(id.partition("/")[2])))
        made[id] = records(registry.find(id))
    json.dump(made, sys.stdout)
