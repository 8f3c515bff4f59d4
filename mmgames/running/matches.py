"""Match: agents play a game to its end, many times. Every episode is recorded as it ends, and none is lost or repeated.

An episode depends only on the match's seed and the episode's number, so results are the same for any number of
processes, and a match that was killed goes on where it stopped.
"""

from __future__ import annotations

import math
import os
import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike
from mmgames.agents.identity import agent_name, description, fresh_agent
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError
from mmgames.running.episodes import (
    EpisodePlayer,
    EpisodeRecord,
    MatchPlan,
    OnIllegal,
    check_counts,
    make_plan,
    unplayed,
)
from mmgames.running.journal import Budget, Journal, JournalAtHome, is_offline
from mmgames.running.processes import Kept, Workers, run_jobs
from mmgames.running.progress import Progress
from mmgames.running.ray_cluster import Cluster
from mmgames.running.records import Fields, Records
from mmgames.running.threads import crew


def match(
    id: str,
    agents: Sequence[str | AgentLike] | str | AgentLike,
    episodes: int = 100,
    seed: int = 0,
    *,
    out: str | os.PathLike[str] | None = None,
    processes: Workers = 1,
    on_illegal: OnIllegal = "fail",
    max_steps: int | None = None,
    progress: bool = False,
    concurrency: int = 1,
    budget: Budget | None = None,
    **options: Any,
) -> MatchResult:
    """Play `episodes` games between agents (one for all seats, or one per seat), each a name or an object.

    `out` is a JSON-lines file; started again with the same match, it goes on where it stopped, and what has failed is
    played once more; how often it had failed before stays known. An agent that raises fails its episode; the rest goes
    on. One that raises `Unavailable` is asked again after a while, several times.

    An illegal action fails its episode too; with `on_illegal="random"` a random legal one takes its place, with
    "retry_random" only after the agent was asked again and gave three in a row; "silent", for games of talk, takes it
    for an empty message; and with "retry" the agent loses after three in a row: -1 for it and +1 for the other of a
    zero-sum pair, the lowest result for a whole team, and for one of any others 1 below what it has, or below 0. All
    are counted. With `max_steps` an episode of that length stays unfinished and counts with the returns so far.

    `concurrency` episodes are played at the same time, on threads: for agents that wait for something, such as a model.
    The result is the same for any number. What models were asked and replied is kept in a journal beside `out`, so that
    a match that was killed goes on in the middle of its episodes; `budget` bounds what they may take.

    `processes` is how many processes of this machine play, or a `Cluster`, whose workers play the same episodes. Those
    that ask models ask through the journal and the budget here, and `concurrency` counts over all of them.
    """
    plan = make_plan(id, agents, seed, on_illegal, options, max_steps)
    check_counts(episodes, seed, processes)
    player = EpisodePlayer(plan)  # a wrong option or agent is better said before any file is made
    if not isinstance(concurrency, int) or concurrency < 1:
        raise MmgamesError(f"At least one episode is played at a time, not {concurrency!r}.")
    about = described(plan, player.agents)
    asked = [agent.keeps_calls for agent in player.agents]  # those whose calls are kept
    if not isinstance(processes, Cluster) or (any(asked) and is_offline()):
        processes = 1 if any(asked) or concurrency > 1 else processes
    records = Records(out, about, fields(len(plan.agents))) if out is not None else None
    with records or nullcontext(), _journal(out, about, budget, any(asked)) as journal:
        player.journal = journal
        done = {} if records is None else finished_rows(records, "episode", episodes)
        earlier = [] if records is None else failed_rows(records, "episode", episodes)
        kept = {episode: EpisodeRecord(row) for episode, row in done.items()}
        missing = sorted(set(range(episodes)) - set(kept))
        with Progress(episodes, plan.id, done=len(kept), show=progress) as bar:
            for row in play_episodes(plan, missing, processes, player, concurrency):
                if records is not None:
                    records.add(row)
                kept[row["episode"]] = row
                bar.advance()
    return MatchResult(plan, [kept[episode] for episode in sorted(kept)], earlier)


def described(plan: MatchPlan, agents: Sequence[Agent]) -> dict[str, Any]:
    """What a results file says of itself, with what agents chosen by name say of themselves too."""
    about = plan.about()
    said = [
        description(agent) if agent.describes_itself and isinstance(named, str) else description(named)
        for named, agent in zip(plan.agents, agents, strict=True)
    ]
    return {**about, "descriptions": said} if any(one is not None for one in said) else about


def _journal(out: Any, about: dict[str, Any], budget: Budget | None, needed: bool) -> Any:
    if not needed:
        return nullcontext()
    return Journal(None if out is None else Path(out).with_suffix(".calls.jsonl"), about, budget)


def fields(seats: int) -> Fields:
    """What the record of an episode with so many seats must have for a match to go on from it."""

    def whole(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0

    def number(value: Any) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    def for_each_seat(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
        return lambda value: isinstance(value, list) and len(value) == seats and all(map(kind, value))

    return {
        "episode": whole,
        "seed": whole,
        "failed": lambda value: value is None or isinstance(value, str),
        "returns": lambda value: value is None or for_each_seat(number)(value),
        "length": whole,
        "illegal": for_each_seat(whole),
        "events": lambda value: isinstance(value, dict) and all(map(number, value.values())),
        "actions": lambda value: isinstance(value, list),
    }


def finished_rows(records: Records, number: str, below: int) -> dict[int, dict[str, Any]]:
    """What need not be done again, by number. What failed is tried once more, and then the last line counts."""
    last = {row[number]: row for row in records.rows if row[number] < below}
    return {key: row for key, row in last.items() if not row["failed"]}


def failed_rows(records: Records, number: str, below: int) -> list[dict[str, Any]]:
    """What had failed when the file was opened; all of it is done again, and none of it is forgotten."""
    return [row for row in records.rows if row[number] < below and row["failed"]]


def play(
    id: str, agents: Sequence[str | AgentLike] | str | AgentLike | None = None, seed: int = 0, **options: Any
) -> Iterator[LiveGame]:
    """One episode, step by step (see `EpisodePlayer.steps`), by the game's reference agents unless others are named."""
    if agents is None:
        game = registry.load(id).game(**options)
        agents = [game.spec.reference_for(seat) for seat in range(len(game.seats))]
    player = EpisodePlayer(make_plan(id, agents, 0, "fail", options))  # what is wrong is said now

    def steps() -> Iterator[LiveGame]:
        try:
            yield from player.steps(seed)
        finally:
            player.close()

    return steps()


def play_episodes(
    plan: MatchPlan,
    episodes: Sequence[int],
    processes: Workers,
    player: EpisodePlayer | None = None,
    concurrency: int = 1,
) -> Iterator[EpisodeRecord]:
    """The records of the given episodes, each as soon as it ends; in this process `player` plays, if there is one."""
    spread = isinstance(processes, Cluster)
    if concurrency > 1 and len(episodes) > 1 and player is not None and not spread:
        yield from _play_on_threads(player, episodes, concurrency)
        return
    if not spread and (processes == 1 or len(episodes) < 2):
        player = player or EpisodePlayer(plan)
        try:
            for episode in episodes:
                yield player.play(episode)
        finally:
            player.close()
        return
    try:
        packed = processes.dumps(plan) if isinstance(processes, Cluster) else pickle.dumps(plan)
    except Exception as error:
        raise MmgamesError(
            f"An agent given as an object cannot travel to other processes ({error}); use processes=1."
        ) from error

    def died(episode: int) -> EpisodeRecord:
        return unplayed(plan, episode, "the process that played it died (a crash, no memory, or it was killed).")

    journal = None if player is None else player.journal
    there = partial(_play_there, packed, journal is not None)
    together = concurrency if journal is not None or concurrency > 1 else None
    yield from run_jobs(there, [(episode,) for episode in episodes], processes, died, journal, together)


def _play_on_threads(first: EpisodePlayer, episodes: Sequence[int], threads: int) -> Iterator[EpisodeRecord]:
    """Each thread has a game and agents of its own; agents that can make others like them share a client that way."""
    players: list[EpisodePlayer] = []
    lock = threading.Lock()

    def worker() -> Callable[[int], EpisodeRecord]:
        with lock:
            player = first
            if players:
                chosen = zip(first.plan.agents, first.agents, strict=True)
                own = [
                    fresh_agent(agent) if agent.makes_fresh_ones or not isinstance(named, str) else named
                    for named, agent in chosen
                ]
                player = EpisodePlayer(replace(first.plan, agents=tuple(own)), first.journal)
                player.plan = first.plan  # by which the records call them
            players.append(player)
        return player.play

    try:
        yield from crew(episodes, worker, threads)
    finally:
        for player in players:
            player.close()


def _play_there(packed: bytes, asks: bool, episode: int) -> EpisodeRecord:
    with _PLAYERS.taken(packed, asks) as player:
        return player.play(episode)


def _unpacked_player(packed: bytes, asks: bool) -> EpisodePlayer:
    return EpisodePlayer(pickle.loads(packed), JournalAtHome() if asks else None)


_PLAYERS = Kept(_unpacked_player)
"""What a worker plays with."""


@dataclass(frozen=True)
class MatchResult:
    """The records of a match in episode order, and their summary; `earlier` are failures that were played again."""

    plan: MatchPlan
    episodes: list[dict[str, Any]]
    earlier: list[dict[str, Any]] = field(default_factory=list)

    @property
    def finished(self) -> list[dict[str, Any]]:
        return [row for row in self.episodes if not row["failed"]]

    def returns(self) -> np.ndarray:
        """[episode, seat] of the episodes that did not fail."""
        seats = len(self.plan.agents)
        return np.array([row["returns"] for row in self.finished], float).reshape(-1, seats)

    def summary(self) -> dict[str, Any]:
        returns, finished = self.returns(), self.finished
        roles = registry.load(self.plan.id).game(**dict(self.plan.options)).seats
        failures = [row["failed"] for row in self.episodes if row["failed"]]
        events: dict[str, float] = {}
        for row in finished:
            for name, count in row["events"].items():
                events[name] = events.get(name, 0.0) + count / len(finished)
        return {
            **self.plan.about(),
            "episodes": len(self.episodes),
            "failed": len(failures),
            "first_failure": failures[0] if failures else None,
            **({"failed_before": len(self.earlier)} if self.earlier else {}),
            "unfinished": sum("unfinished" in row for row in finished),
            "seats": [
                {
                    "seat": role,
                    "agent": agent_name(self.plan.agents[seat]),
                    **mean_and_error(returns[:, seat]),
                    "illegal": sum(row["illegal"][seat] for row in self.episodes),
                    "forfeits": sum(row.get("forfeit") == role for row in finished),
                    "drawn": sum(row["drawn"][seat] for row in finished if "drawn" in row),
                }
                for seat, role in enumerate(roles)
            ],
            "length": mean_and_error(np.array([row["length"] for row in finished], float)),
            "events": events,
        }


def mean_and_error(values: np.ndarray) -> dict[str, float | None]:
    """Mean and standard error; None where there are too few values to say."""
    if not len(values):
        return {"mean": None, "standard_error": None}
    error = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else None
    return {"mean": float(values.mean()), "standard_error": error}
