"""Agents in the seats of a batched environment, each choosing for thousands of episodes at once.

Two kinds of agents can: those whose policy is compiled (`policy(row, seat, noise)`), and those that have
`batch_player(env, seat)`, which makes a `BatchPlayer`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, BatchPlayer, RemembersEpisodes
from mmgames.agents.finding import Others, seat_agents
from mmgames.core.game import Seat
from mmgames.core.seeding import row_stream
from mmgames.envs.options import BATCH_KEYS, at_least_one
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MmgamesError
from mmgames.kernels import batch
from mmgames.kernels.kernel import FRACTION


def as_streams(draws: np.ndarray) -> np.ndarray:
    """A stream for each random number from [0, 1), for who needs more than one of it."""
    return (draws / FRACTION).astype(np.uint64)


class PolicyPlayer:
    """A compiled policy that plays a seat in some of the episodes, where others play the rest of them."""

    def __init__(self, env: BatchedEnv, seat: Seat, policy: Any) -> None:
        self.env, self.seat, self.policy = env, seat, policy

    def choose(self, which: np.ndarray) -> None: ...

    def forget(self, which: np.ndarray) -> None: ...

    def act(self, seen: dict[str, np.ndarray], rows: np.ndarray, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
        kernel = self.env.kernel
        joint: np.ndarray = self.env.xp.zeros((len(rows), len(self.env.seats)), np.int64)
        arguments = (kernel.turn, kernel.moves, self.policy, kernel.moves_capacity, rows)
        self.env.threads.run(batch.act_states, *arguments, self.seat, as_streams(draws), joint, count=len(rows))
        return joint[:, self.seat]


def any_batch_player(agent: Agent, env: BatchedEnv, seat: Seat) -> BatchPlayer:
    """The player of a seat in many episodes, of an agent that learned or that is compiled; another one is refused."""
    if agent.can_play_batches:
        return agent.batch_player(env, seat)
    if agent.has_policy:
        return PolicyPlayer(env, seat, agent.compiled_policy)
    raise MmgamesError(
        f"{env.game.spec.id}: {agent.class_name} plays one episode at a time; a batch takes agents "
        "with a compiled policy, and learned ones."
    )


def memory_of(player: BatchPlayer | RemembersEpisodes) -> dict[str, np.ndarray]:
    """What a player keeps of the episodes under way, if it keeps anything."""
    tell = getattr(player, "memory", None)
    return tell() if tell is not None else {}


class BatchAgents:
    """Agents in seats of a BatchedEnv that observes features and masks. Call `act` before every step."""

    def __init__(
        self, env: BatchedEnv, agents: Mapping[Seat, Agent], seed: int = 0, streams: np.ndarray | None = None
    ) -> None:
        self.env = env
        self.draws, self.busy = env.xp.zeros(env.num_envs), env.xp.zeros(env.num_envs, np.bool_)
        self.players: dict[Seat, BatchPlayer] = {}
        self.policies: dict[Seat, Any] = {}
        for seat, agent in agents.items():
            if agent.has_policy and not agent.can_play_batches:
                self.policies[seat] = agent.compiled_policy
            else:
                self.players[seat] = any_batch_player(agent, env, seat)
        # Every episode draws from streams of its own, so what happens in it does not depend on the others. The name
        # "crowd" is part of the seeds: another one would change every result.
        self.streams = {
            seat: env.threads.kept(
                np.array([row_stream(seed + row, f"crowd {seat}") for row in range(env.num_envs)], np.uint64)
            )
            if streams is None
            else streams
            for seat in agents
        }

    def forget(self, which: np.ndarray) -> None:
        """These episodes start anew."""
        for player in self.players.values():
            player.forget(which)

    def memory(self) -> dict[str, np.ndarray]:
        """What the agents keep of the episodes under way: arrays to copy, and to write into to go on from there."""
        return {
            f"{seat}.{name}": array
            for seat, player in self.players.items()
            for name, array in memory_of(player).items()
        }

    def act(self, observation: Mapping[str, np.ndarray], joint: np.ndarray, idle: np.ndarray) -> None:
        """Fill in the joint actions of the agents' seats, but for episodes that are `idle`: [env], or [env, seat]."""
        loops, xp = self.env.threads, self.env.xp
        for seat, policy in self.policies.items():
            streams = self.streams[seat]
            before = streams.copy()
            self.env.act(seat, policy, streams, joint)
            streams[...] = xp.where(idle if idle.ndim == 1 else idle[:, seat], before, streams)
        for seat, player in self.players.items():
            self.busy[...] = ~(idle if idle.ndim == 1 else idle[:, seat])
            loops.run(batch.fractions, self.busy, self.streams[seat], self.draws, count=self.env.num_envs)
            masks = observation["action_mask"][:, seat] != 0
            joint[:, seat] *= ~self.busy
            which = xp.flatnonzero(self.busy & masks.any(axis=1))
            if which.size:
                seen = {key: array[which, seat] for key, array in observation.items() if key != "state"}
                player.choose(which)
                states, draws = loops.take(self.env.states, which), self.draws[which]
                joint[which, seat] = player.act(seen, states, masks[which], draws)


def play(
    env_id: str, agents: Others, episodes: int = 1000, seed: int = 0, num_envs: int = 1000, **options: Any
) -> np.ndarray:
    """Returns [episode, seat] of agents that all can play many episodes at once. The first episodes of each row count,
    so that short ones are not preferred."""
    rows = min(num_envs, at_least_one("episodes", episodes, env_id))
    env = BatchedEnv(env_id, rows, observe=BATCH_KEYS, copy=False, **options)
    everyone = range(len(env.seats))
    players = BatchAgents(env, seat_agents(agents, env.game, everyone), seed)
    wanted = np.full(rows, episodes // rows)
    wanted[: episodes % rows] += 1
    observation, _ = env.reset(seed=seed)
    joint = np.zeros((rows, len(env.seats)), np.int64)
    running, over = np.zeros((rows, len(env.seats))), np.zeros(rows, bool)
    finished: list[np.ndarray] = []
    while (wanted > 0).any():
        players.forget(over)
        players.act(observation, joint, over)
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
