"""Who plays in each episode of training: the learner in all seats, or in one of them beside agents from `others=`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import Others, seat_agents
from mmgames.baselines.learning.past import Past, Snapshot
from mmgames.baselines.pool import Pool
from mmgames.core.game import Seat
from mmgames.core.seeding import row_stream
from mmgames.envs.batch_agents import BatchAgents
from mmgames.errors import MmgamesError
from mmgames.kernels import batch


class League:
    """The agents beside the learner in a batch of episodes.

    With a `seat` the learner always has that one. Without one, an episode is self-play with probability `self_play`;
    otherwise the learner gets one seat, all equally likely, and the agents of `others` play the rest. Every row draws
    from streams of its own, when its episode starts.
    """

    def __init__(self, env: Any, others: Others, seat: Seat | None, self_play: float, seed: int) -> None:
        self.env, self.seat, self.self_play = env, seat, self_play
        seats = range(len(env.seats))
        if len(seats) == 1:
            raise MmgamesError(f"{env.game.spec.id} has one seat; nobody can play beside the learner.")
        agents = seat_agents(others, env.game, [other for other in seats if other != seat])
        self.pasts = [past for agent in agents.values() for past in own_pasts(agent)]
        if self.pasts and seat is not None:
            raise MmgamesError("past plays the learner's own seats, so nobody but the learner itself; leave out seat=.")
        self.crowd = BatchAgents(env, agents, seed)
        self.streams = np.array([row_stream(seed + row, "league") for row in range(env.num_envs)], np.uint64)
        self.taken = np.zeros((env.num_envs, len(seats)), np.bool_)
        """[env, seat]: who is not the learner in this episode."""
        self.joint = np.zeros((env.num_envs, len(seats)), np.int64)
        if seat is not None:
            self.taken[:, [other for other in seats if other != seat]] = True
        else:
            self._deal(np.arange(env.num_envs))

    def _deal(self, which: np.ndarray) -> None:
        """Say who has which seat in these episodes, which are about to start."""
        streams, first, second = self.streams[which], np.empty(len(which)), np.empty(len(which))
        batch.fractions(streams, first)
        batch.fractions(streams, second)
        self.streams[which] = streams
        many = self.taken.shape[1]
        home = np.minimum((second * many).astype(np.int64), many - 1)
        self.taken[which] = (first >= self.self_play)[:, None] & (np.arange(many) != home[:, None])

    def act(self, observation: Mapping[str, np.ndarray], joint: np.ndarray, over: np.ndarray) -> None:
        """Fill in the joint actions of the agents' seats; the episodes that are `over` start anew with this step."""
        self.crowd.forget(over)
        if self.seat is not None:
            self.crowd.act(observation, joint, over)
            return
        if over.any():
            self._deal(np.flatnonzero(over))
        self.crowd.act(observation, self.joint, ~self.taken | over[:, None])
        np.copyto(joint, self.joint, where=self.taken)

    def remember(self, snapshot: Snapshot) -> None:
        """The learner's past has one more snapshot."""
        for past in self.pasts:
            past.agents.append(snapshot)

    def memory(self) -> dict[str, np.ndarray]:
        """How all episodes stand: arrays to copy, and to write into to go on from there."""
        kept = {f"crowd.{seat}": stream for seat, stream in self.crowd.streams.items()}
        kept |= {f"players.{name}": array for name, array in self.crowd.memory().items()}
        return kept if self.seat is not None else {**kept, "league.streams": self.streams, "league.taken": self.taken}


def own_pasts(agent: Agent) -> list[Past]:
    """The places of the learner's own past in an agent: itself, or members of a pool."""
    everyone = agent.walk() if isinstance(agent, Pool) else [agent]
    return [one for one in everyone if isinstance(one, Past) and not one.file]
