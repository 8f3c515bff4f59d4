"""A crowd: agents in the seats of a batch, each choosing for thousands of episodes at once.

Two kinds of agents can: those whose policy is compiled (`policy(row, seat, noise)`), and those that have `many(env,
seat)`, which gives a `BatchPlayer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, BatchPlayer
from mmgames.agents.finding import Others, seat_agents
from mmgames.core.constants import ILLEGAL_REWARD
from mmgames.core.game import Seat
from mmgames.core.seeding import row_stream
from mmgames.envs.rows import DEFAULT_KEYS
from mmgames.envs.vector import BatchedEnv, SoloVectorEnv
from mmgames.errors import MmgamesError
from mmgames.kernels import batch


class Crowd:
    """Agents in seats of a BatchedEnv that observes features and masks. Call `act` before every step."""

    def __init__(
        self, env: BatchedEnv, agents: Mapping[Seat, Agent], seed: int = 0, streams: np.ndarray | None = None
    ) -> None:
        self.env = env
        self.players: dict[Seat, BatchPlayer] = {}
        self.policies: dict[Seat, Any] = {}
        for seat, agent in agents.items():
            if agent.can_play_many:
                self.players[seat] = agent.many(env, seat)
            elif agent.has_policy:
                self.policies[seat] = agent.compiled_policy
            else:
                raise MmgamesError(
                    f"{env.game.spec.id}: {agent.class_name} plays one episode at a time; a batch takes agents "
                    "with a compiled policy, and learned ones."
                )
        # Every episode draws from streams of its own, so what happens in it does not depend on the others.
        self.streams = {
            seat: np.array([row_stream(seed + row, f"crowd {seat}") for row in range(env.num_envs)], np.uint64)
            if streams is None
            else streams
            for seat in agents
        }

    def forget(self, which: np.ndarray) -> None:
        """These episodes start anew."""
        for player in self.players.values():
            player.forget(which)

    def act(self, observation: Mapping[str, np.ndarray], joint: np.ndarray, idle: np.ndarray) -> None:
        """Fill in the joint actions of the crowd's seats, but for episodes that are `idle`."""
        busy = np.flatnonzero(~idle)
        for seat, policy in self.policies.items():
            before = self.streams[seat][idle]
            self.env.act(seat, policy, self.streams[seat], joint)
            self.streams[seat][idle] = before
        for seat, player in self.players.items():
            draws, streams = np.empty(busy.size), self.streams[seat][busy]
            batch.fractions(streams, draws)
            self.streams[seat][busy] = streams
            masks = observation["action_mask"][busy, seat] != 0
            moving = masks.any(axis=1)
            which = busy[moving]
            joint[busy, seat] = 0
            if which.size:
                seen = {key: array[which, seat] for key, array in observation.items() if key != "state"}
                player.choose(which)
                joint[which, seat] = player.act(seen, self.env.rows[which], masks[moving], draws[moving])


class OtherSeats:
    """The others of a SoloVectorEnv where one of them is no compiled policy: they are asked between the steps."""

    def __init__(self, solo: SoloVectorEnv, agents: Mapping[Seat, Agent]) -> None:
        self.solo = solo
        env = self.env = BatchedEnv(
            solo.game.spec.id, solo.num_envs, observe=DEFAULT_KEYS, copy=False, max_steps=solo.max_steps,
            threads=solo._threads, **solo.game.options,
        )  # fmt: skip
        # One batch under two faces: what one steps, the other shows.
        for name in ("rows", "_streams", "_steps", "_terminated", "_truncated"):
            setattr(env, name, getattr(solo, name))
        env._begun = True
        self.crowd = Crowd(env, agents, streams=solo._agent_streams)
        self.early = np.zeros(solo.num_envs, bool)  # the others have ended these before this seat's first turn

    def play(self, which: np.ndarray, anew: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        """As `batch.one_seat_rows`: the others play until it is this seat's turn again."""
        solo, env, me = self.solo, self.env, self.solo.seat
        over = env._terminated | env._truncated
        fresh = which & (over | anew)
        rewards[which] = 0.0
        env._offends[which] = False
        if fresh.any():
            env._play(fresh, True, env._no_actions, env._no_rewards)
            self.crowd.forget(fresh)
        stepped = which & ~fresh
        ended = stepped & self.early
        self.early[which] = False
        joint = np.zeros((env.num_envs, len(env.seats)), np.int64)
        joint[:, me] = actions
        pending = (stepped & ~ended) | (fresh & ~env._masks[:, me].any(axis=1))
        while pending.any():
            self.crowd.act({"features": env._features, "action_mask": env._masks}, joint, ~pending)
            env._play(pending, False, joint, env._rewards)
            pending = pending & ~(env._terminated | env._truncated) & ~env._masks[:, me].any(axis=1)
        env._terminated |= ended
        totals = np.empty((env.num_envs, len(env.seats)))
        env._threaded(batch.sum_rows, env.kernel.returns, env.rows, totals)
        solo._paid[fresh] = 0.0
        offends = env._offends[:, me]
        paid = stepped & ~offends
        rewards[paid] = (totals[:, me] - solo._paid)[paid]
        rewards[stepped & offends] = ILLEGAL_REWARD
        solo._paid[paid] = totals[paid, me]
        self.early |= fresh & (env._terminated | env._truncated)
        env._terminated[fresh] = env._truncated[fresh] = False
        solo._offends[which] = offends[which]
        if solo.copy:
            solo._features, solo._masks = np.empty_like(solo._features), np.ones_like(solo._masks)
        solo._look(solo._looking, solo._features, solo._masks)
        solo._draw_up(which)


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
        crowd.forget(over)
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
