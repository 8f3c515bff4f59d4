"""What one seat saw, did and earned in an episode: the form in which learners from data want play.

A step is a decision of the seat. Its reward is all that the seat earned until its next decision, whoever's move it was;
what it earned before its first one counts with the first. So the rewards add up to the seat's return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from mmgames.agents.finding import find_seat, seat_agents
from mmgames.core.actions import action_space
from mmgames.core.game import Game
from mmgames.core.observation import Observer
from mmgames.envs.options import BATCH_KEYS
from mmgames.errors import MmgamesError
from mmgames.running.replays import replay

if TYPE_CHECKING:
    from mmgames.envs.batch_agents import BatchAgents
    from mmgames.envs.vector import BatchedEnv

MOST_ROWS = 1000


@dataclass
class SeatEpisode:
    """The decisions of one seat in one episode; there is one more observation and mask than there are actions."""

    seat: int
    role: str
    episode: int
    observation_space: spaces.Dict
    action_space: spaces.Space[Any]
    seed: int | None = None
    observations: list[dict[str, Any]] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    actions: list[Any] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    terminated: bool = False
    _early: float = 0.0

    def see(self, observation: dict[str, Any], mask: np.ndarray | None) -> None:
        self.observations.append(observation)
        if mask is not None:
            self.masks.append(mask)

    def act(self, action: Any) -> None:
        self.actions.append(action)
        self.rewards.append(self._early)
        self._early = 0.0

    def earn(self, reward: float) -> None:
        if self.rewards:
            self.rewards[-1] += reward
        else:
            self._early += reward


def chosen_seats(game: Game[Any, Any], seats: Sequence[str] | None) -> list[int]:
    """The seats of these roles, or all."""
    return list(range(len(game.seats))) if seats is None else sorted({find_seat(game, seat) for seat in seats})


def of_record(
    row: Mapping[str, Any], observe: Sequence[str] | None, size: int, seats: Sequence[str] | None
) -> list[SeatEpisode]:
    """The decisions of each seat in a recorded episode, which is replayed."""
    states = replay(row)
    live = next(states)
    game, discrete = live.game, live.discrete
    usual = {"discrete": BATCH_KEYS, "text": ("text",), "box": ("features",)}[game.spec.actions]
    observer = Observer(live.loaded, game, observe or usual, size, frames=1)
    episodes = []
    for seat in chosen_seats(game, seats):
        seen, done = observer.space(live.view(seat)), action_space(game, seat)
        episodes.append(SeatEpisode(seat, game.seats[seat], row["episode"], seen, done, row["seed"]))

    def look(episode: SeatEpisode) -> None:
        mask = live.mask(episode.seat).copy() if discrete else None
        episode.see(observer.observe_live(live, episode.seat), mask)

    for actions in row["actions"]:
        for episode in episodes:
            if episode.seat in live.movers and actions[episode.seat] is not None:
                look(episode)
                given, space = actions[episode.seat], episode.action_space
                episode.act(np.asarray(given, space.dtype) if isinstance(space, spaces.Box) else given)
        before = live.totals
        next(states)
        for episode in episodes:
            episode.earn(float(live.totals[episode.seat] - before[episode.seat]))
    for _ in states:  # there are no more; here the replay compares the returns
        pass
    for episode in episodes:
        look(episode)
        episode.terminated = not live.movers
    return [episode for episode in episodes if episode.actions]


def of_batches(
    game_id: str,
    agents: Sequence[str],
    episodes: int,
    seed: int,
    observe: Sequence[str] | None,
    size: int,
    seats: Sequence[str] | None,
    options: Mapping[str, Any],
) -> Iterator[SeatEpisode]:
    """The decisions of each seat in episodes that the compiled kernel of a game plays, many at once, as they end.

    The first episodes of each row count, so that short ones are not preferred.
    """
    from mmgames.envs.batch_agents import BatchAgents  # who only lists data sets loads no kernels
    from mmgames.envs.vector import BatchedEnv

    observe = tuple(observe or BATCH_KEYS)
    if "state" in observe:
        raise MmgamesError(f"{game_id}: the state is of all seats together; a seat's episode cannot observe it.")
    rows = min(MOST_ROWS, episodes)
    env = BatchedEnv(game_id, rows, observe=tuple(dict.fromkeys((*BATCH_KEYS, *observe))), size=size, **options)
    try:
        given = agents[0] if len(agents) == 1 else list(agents)
        players = BatchAgents(env, seat_agents(given, env.game, range(len(env.seats))), seed)
        yield from _played(env, players, episodes, seed, observe, chosen_seats(env.game, seats))
    finally:
        env.close()


def _played(
    env: BatchedEnv, players: BatchAgents, episodes: int, seed: int, keys: Sequence[str], seats: Sequence[int]
) -> Iterator[SeatEpisode]:
    assert isinstance(env.single_observation_space, spaces.Dict)
    space = spaces.Dict({key: env.single_observation_space[key] for key in keys})
    rows = env.num_envs
    left = np.full(rows, episodes // rows)
    left[: episodes % rows] += 1
    begun = 0

    def new_row() -> list[SeatEpisode]:
        nonlocal begun
        begun += 1
        return [SeatEpisode(seat, env.seats[seat], begun - 1, space, env.single_action_space) for seat in seats]

    current = [new_row() for _ in range(rows)]
    observation, _ = env.reset(seed=seed)
    joint, over = np.zeros((rows, len(env.seats)), np.int64), np.zeros(rows, bool)

    def look(episode: SeatEpisode, row: int) -> None:
        seen = {key: observation[key][row, episode.seat].copy() for key in keys}
        episode.see(seen, observation["action_mask"][row, episode.seat].copy())

    while left.any():
        players.forget(over)
        players.act(observation, joint, over)
        playing = np.flatnonzero(~over & (left > 0)).tolist()
        moving = observation["action_mask"].any(axis=2)
        for row in playing:
            for episode in current[row]:
                if moving[row, episode.seat]:
                    look(episode, row)
                    episode.act(int(joint[row, episode.seat]))
        observation, rewards, terminated, truncated, _ = env.step(joint)
        over = terminated | truncated
        for row in playing:
            for episode in current[row]:
                episode.earn(float(rewards[row, episode.seat]))
                if over[row]:
                    look(episode, row)
                    episode.terminated = bool(terminated[row])
            if over[row]:
                yield from (episode for episode in current[row] if episode.actions)
                left[row] -= 1
                if left[row]:
                    current[row] = new_row()
