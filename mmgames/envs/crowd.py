"""A crowd: agents in the seats of a batch, each choosing for thousands of episodes at once.

Two kinds of agents can: those whose policy is compiled (`policy(row, seat, noise)`), and those that have `many(env,
seat)`, which gives a player with

act(seen, rows, masks, draws) -> actions    for some episodes: what the seat sees (a dict of arrays), the rows of the
                                            game, the legal actions, and a random number from [0, 1) for each episode
choose(which)                               which episodes the next `act` is about; it may keep memory for each
forget(which)                               these episodes start anew
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mmgames.core import batch
from mmgames.core.agents import Agent, Others, seat_agents
from mmgames.core.errors import MmgamesError
from mmgames.core.game import Seat
from mmgames.core.seeding import row_stream
from mmgames.envs.vector import BatchedEnv


def plays_many(agent: Agent) -> bool:
    """Whether an agent can choose for many episodes at once without a compiled policy."""
    return callable(getattr(agent, "many", None))


class Crowd:
    """Agents in seats of a BatchedEnv that observes features and masks. Call `act` before every step."""

    def __init__(self, env: BatchedEnv, agents: Mapping[Seat, Agent], seed: int = 0) -> None:
        self.env = env
        self.players: dict[Seat, Any] = {}
        self.policies: dict[Seat, Any] = {}
        for seat, agent in agents.items():
            if plays_many(agent):
                self.players[seat] = agent.many(env, seat)  # type: ignore[attr-defined]
            elif hasattr(type(agent), "policy") or type(agent).__name__ == "Random":
                self.policies[seat] = getattr(type(agent), "policy", None)
            else:
                raise MmgamesError(
                    f"{env.game.spec.id}: {type(agent).__name__} plays one episode at a time; a batch takes agents "
                    "with a compiled policy, and learned ones."
                )
        self.streams = {
            seat: np.array([row_stream(seed + row, f"crowd {seat}") for row in range(env.num_envs)], np.uint64)
            for seat in agents
        }

    def act(self, observation: Mapping[str, np.ndarray], joint: np.ndarray, over: np.ndarray) -> None:
        """Fill in the joint actions of the crowd's seats; `over` are the episodes that the next step starts anew."""
        for seat, policy in self.policies.items():
            self.env.act(seat, policy, self.streams[seat], joint)
        for seat, player in self.players.items():
            player.forget(over)
            masks = observation["action_mask"][:, seat] != 0
            which = np.flatnonzero(masks.any(axis=1) & ~over)
            draws = np.empty(self.env.num_envs)
            batch.fractions(self.streams[seat], draws)
            joint[:, seat] = 0
            if which.size:
                seen = {key: array[which, seat] for key, array in observation.items() if key != "state"}
                player.choose(which)
                joint[which, seat] = player.act(seen, self.env.rows[which], masks[which], draws[which])


def play(
    env_id: str, agents: Others, episodes: int = 1000, seed: int = 0, num_envs: int = 1000, **options: Any
) -> np.ndarray:
    """Returns [episode, seat] of agents that all can play many episodes at once. The first episodes of each row count,
    so that short ones are not preferred."""
    if isinstance(episodes, bool) or not isinstance(episodes, int) or episodes < 1:
        raise MmgamesError(f"{env_id}: episodes={episodes!r} is out of range; it must be at least 1.")
    rows = min(num_envs, episodes)
    env = BatchedEnv(env_id, rows, observe=("features", "action_mask"), copy=False, **options)
    everyone = range(len(env.seats))
    crowd = Crowd(env, seat_agents(agents, env.game, everyone), seed)
    wanted = np.full(rows, episodes // rows)
    wanted[: episodes % rows] += 1
    observation, _ = env.reset(seed=seed)
    joint = np.zeros((rows, len(env.seats)), np.int64)
    running, over = np.zeros((rows, len(env.seats))), np.zeros(rows, bool)
    finished: list[np.ndarray] = []
    while (wanted > 0).any():
        crowd.act(observation, joint, over)
        observation, rewards, terminated, truncated, _ = env.step(joint)
        running += rewards
        over = terminated | truncated
        counts = over & (wanted > 0)
        if counts.any():
            finished.append(running[counts])
            wanted[counts] -= 1
        running[over] = 0.0
    env.close()
    return np.concatenate(finished)
