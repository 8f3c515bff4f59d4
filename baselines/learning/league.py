"""Who plays in each episode of training: the learner in all seats, or in one of them beside agents from `others=`; its
own past can be one of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import Others, find_seat, seat_agents
from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.learned import Checkpoint, Learned
from mmgames.baselines.pool import Pool
from mmgames.core.game import Game, Seat
from mmgames.core.seeding import row_stream
from mmgames.envs.batch_agents import BatchAgents
from mmgames.errors import MmgamesError
from mmgames.kernels import batch


class Snapshot(Learned):
    """The policy that a learner had at some time of its training."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(greedy=False)
        self.checkpoint = checkpoint

    def _checkpoint(self, game_id: str) -> Checkpoint:
        return self.checkpoint


class Past(Pool):
    """Plays a learner as it was: a snapshot of its training, drawn for each episode.

    `file` is the training.npz of a run that kept some; inside training it is left out, and means the learner's own.
    `recent` is the share of episodes that the newest snapshot plays; the others are played by any, the newest too.
    """

    def __init__(self, file: str = "", recent: float = 0.0) -> None:
        if isinstance(recent, bool) or not isinstance(recent, int | float) or not 0 <= recent <= 1:
            raise MmgamesError(f"past: recent={recent!r} is out of range; it is a share from 0 to 1.")
        super().__init__(["past"])
        self.file, self.recent = str(file), float(recent)
        if self.file:
            about, arrays = checkpoint_files.read(self.file)
            self.agents = [Snapshot(Checkpoint(self.file, (about, one))) for one in snapshots_in(arrays)]
            if not self.agents:
                raise MmgamesError(f"{self.file!r} keeps no snapshots; a run whose others= has `past` does.")

    def find_members(self, find: Any) -> None:
        """They are its own."""

    def chances(self) -> np.ndarray:
        if not self.agents:
            raise MmgamesError(
                "past is a learner's own past, which only its training knows; name the training.npz of a run that kept "
                "snapshots, as in 'past:runs/league/training.npz'."
            )
        chances = np.full(len(self.agents), (1 - self.recent) / len(self.agents))
        chances[-1] += self.recent
        return chances

    def describe(self) -> Any:
        return {"file": self.file, "recent": self.recent}


def snapshot_arrays(number: int, policy: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A snapshot's arrays under the names that training.npz has for them."""
    return {f"past.{number}.{name}": array for name, array in policy.items()}


def snapshots_in(arrays: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """The arrays of each snapshot in a training.npz, oldest first."""
    found: dict[int, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        if name.startswith("past."):
            number, _, own = name.removeprefix("past.").partition(".")
            found.setdefault(int(number), {})[own] = array
    return [found[number] for number in sorted(found)]


def agents_beside(game: Game[Any, Any], others: Others, seat: Any) -> dict[Seat, Agent]:
    """Who plays beside a learner: in the seats but its own, or in all, of which it is given one in each episode."""
    own = None if seat is None else find_seat(game, seat)
    return seat_agents(others, game, [other for other in range(len(game.seats)) if other != own])


def plays_on_card(agent: Agent) -> bool:
    """Whether all that an agent does in a batch can be done on a card."""
    everyone = agent.walk() if isinstance(agent, Pool) else [agent]
    return all(isinstance(one, Pool | Learned) or (one.has_policy and not one.can_play_batches) for one in everyone)


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
        agents = agents_beside(env.game, others, seat)
        self.pasts = [past for agent in agents.values() for past in own_pasts(agent)]
        if self.pasts and seat is not None:
            raise MmgamesError("past plays the learner's own seats, so nobody but the learner itself; leave out seat=.")
        self.snapshots: list[dict[str, np.ndarray]] = []
        self.crowd = BatchAgents(env, agents, seed)
        n, xp = env.num_envs, env.xp
        self.streams = env.threads.kept(np.array([row_stream(seed + row, "league") for row in range(n)], np.uint64))
        self.taken = xp.zeros((n, len(seats)), np.bool_)
        """[env, seat]: who is not the learner in this episode."""
        self.joint, self.fresh = xp.zeros((n, len(seats)), np.int64), xp.ones(n, np.bool_)
        self.first, self.second = xp.zeros(n), xp.zeros(n)
        if seat is not None:
            self.taken[:, [other for other in seats if other != seat]] = True
        else:
            self._deal()

    def _deal(self) -> None:
        """Say who has which seat in the `fresh` episodes, which are about to start."""
        xp, many = self.env.xp, self.taken.shape[1]
        for drawn in (self.first, self.second):
            self.env.threads.run(batch.fractions, self.fresh, self.streams, drawn, count=len(drawn))
        home = xp.minimum((self.second * many).astype(np.int64), many - 1)
        dealt = (self.first >= self.self_play)[:, None] & (xp.arange(many) != home[:, None])
        self.taken[...] = xp.where(self.fresh[:, None], dealt, self.taken)

    def act(self, observation: Mapping[str, np.ndarray], joint: np.ndarray, over: np.ndarray) -> None:
        """Fill in the joint actions of the agents' seats; the episodes that are `over` start anew with this step."""
        self.crowd.forget(over)
        if self.seat is not None:
            self.crowd.act(observation, joint, over)
            return
        self.fresh[...] = over
        self._deal()
        self.crowd.act(observation, self.joint, ~self.taken | over[:, None])
        joint[...] = self.env.xp.where(self.taken, self.joint, joint)

    def remember(self, about: dict[str, Any], policy: dict[str, np.ndarray]) -> None:
        """The learner's past has one more snapshot: a policy, and what its checkpoint says of it."""
        self.snapshots.append({name: array.copy() for name, array in policy.items()})
        for past in self.pasts:
            past.agents.append(Snapshot(Checkpoint("past", (about, self.snapshots[-1]))))

    def save(self) -> dict[str, np.ndarray]:
        """All that it takes to go on."""
        kept = {name: self.env.threads.to_host(array) for name, array in self._memory().items()}
        for number, policy in enumerate(self.snapshots):
            kept |= snapshot_arrays(number, policy)
        return kept

    def restore(self, arrays: dict[str, np.ndarray], about: dict[str, Any]) -> None:
        """Go on from what was saved; `about` is what the learner's checkpoint says of itself."""
        for policy in snapshots_in(arrays):
            self.remember(about, policy)
        for name, array in self._memory().items():
            self.env.threads.write(array, arrays[name])

    def _memory(self) -> dict[str, np.ndarray]:
        """How all episodes stand: arrays to copy, and to write into to go on from there."""
        kept = {f"crowd.{seat}": stream for seat, stream in self.crowd.streams.items()}
        kept |= {f"players.{name}": array for name, array in self.crowd.memory().items()}
        return kept if self.seat is not None else {**kept, "league.streams": self.streams, "league.taken": self.taken}


def own_pasts(agent: Agent) -> list[Past]:
    """The places of the learner's own past in an agent: itself, or members of a pool."""
    everyone = agent.walk() if isinstance(agent, Pool) else [agent]
    return [one for one in everyone if isinstance(one, Past) and not one.file]
