"""Match: agents play a game to its end, many times. Every episode is recorded as it ends, and none is lost or repeated.

An episode depends only on the match's seed and the episode's number, so results are the same for any number of
processes, and a match that was killed goes on where it stopped.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike
from mmgames.agents.identity import agent_name, description, fresh_agent
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.seeding import RunSeed
from mmgames.errors import MmgamesError
from mmgames.running.clocks import Clock
from mmgames.running.episodes import (
    EpisodePlayer,
    EpisodeRecord,
    MatchPlan,
    OnIllegal,
    check_counts,
    make_plan,
    unplayed,
)
from mmgames.running.journal import Budget, Journal, is_offline
from mmgames.running.processes import Workers, stdout_for_results
from mmgames.running.ray_cluster import Cluster
from mmgames.running.records import Fields, KeptRows
from mmgames.running.resumable import ResultRow, ResumableWork, make_rows_elsewhere, make_rows_here
from mmgames.running.statistics import mean_and_error
from mmgames.running.variates import without_luck
from mmgames.text.replies import Reading


def match(
    id: str,
    agents: Sequence[str | AgentLike] | str | AgentLike,
    episodes: int = 100,
    seed: RunSeed | Sequence[int] = 0,
    *,
    out: str | os.PathLike[str] | None = None,
    processes: Workers = 1,
    on_illegal: OnIllegal = "fail",
    max_steps: int | None = None,
    progress: bool = False,
    concurrency: int = 1,
    budget: Budget | None = None,
    reading: Reading = "paragraph",
    clock: Clock | float | str | None = None,
    **options: Any,
) -> MatchResult:
    """Play `episodes` games between agents (one for all seats, or one per seat), each a name or an object.

    `seed` is the match's, or has a seed for each episode. `out` is a JSON-lines file; started again with the same
    match, it goes on where it stopped, and what has failed is played once more; how often it had failed before stays
    known. An agent that raises fails its episode; the rest goes on. One that raises `Unavailable` is asked again after
    a while, several times.

    An illegal action fails its episode too; with `on_illegal="random"` a random legal one takes its place, with
    "retry_random" only after the agent was asked again and gave three in a row; "silent", for games of talk, takes it
    for an empty message; and with "retry" the agent loses after three in a row, with "lose" at once: -1 for it and +1
    for the other of a zero-sum pair, the lowest result for a whole team, and for one of any others 1 below everybody, 0
    and the game's lowest. All are counted. With `max_steps` an episode of that length stays unfinished and counts with
    the returns so far. `reading` is how replies in words are read, by the "paragraph" of `mmgames.text.replies` or as
    the code that was "released" with the game's paper reads them (`mmgames.readers`).
    With a `clock`, 10 seconds for a turn or "300+5" for an episode, a late answer is an illegal one: see
    `running/clocks.py`.

    `concurrency` episodes are played at the same time, on threads: for agents that wait for something, such as a model.
    The result is the same for any number. What models were asked and replied is kept in a journal beside `out`, so that
    a match that was killed goes on in the middle of its episodes; `budget` bounds what they may take.

    `processes` is how many processes of this machine play, or a `Cluster`, whose workers play the same episodes. Those
    that ask models ask through the journal and the budget here, and `concurrency` counts over all of them.
    """
    plan = make_plan(id, agents, seed, on_illegal, options, max_steps, reading, clock)
    check_counts(episodes, processes=processes)
    if isinstance(plan.seed, tuple) and len(plan.seed) < episodes:
        raise MmgamesError(f"There are {len(plan.seed)} seeds, and {episodes} episodes are to be played.")
    player = EpisodePlayer(plan)  # a wrong option or agent is better said before any file is made
    if not isinstance(concurrency, int) or concurrency < 1:
        raise MmgamesError(f"At least one episode is played at a time, not {concurrency!r}.")
    about = described(plan, player.agents)
    keeps = plan.clock is not None or any(agent.keeps_calls for agent in player.agents)  # a journal of calls and times
    if not isinstance(processes, Cluster) or (keeps and is_offline()):
        processes = 1 if keeps or concurrency > 1 else processes
    work = ResumableWork(out, about, fields(len(plan.agents)), "episode", episodes, keeps, budget, plan.id, progress)

    def make_rows(missing: list[int], journal: Journal | None) -> Iterator[ResultRow]:
        player.journal = journal
        return play_episodes(plan, missing, processes, player, concurrency)

    with stdout_for_results(processes):
        done = work.run(make_rows)
    return MatchResult(plan, _records(done.rows, range(len(done.rows))), done.earlier)


def _records(rows: Sequence[ResultRow], places: Sequence[int]) -> Sequence[dict[str, Any]]:
    """The rows in these places as records; those of a file stay there."""
    if isinstance(rows, KeptRows):
        return rows.chosen(places, EpisodeRecord)
    return [EpisodeRecord(rows[place]) for place in places]


def described(plan: MatchPlan, agents: Sequence[Agent]) -> dict[str, Any]:
    """What a results file says of itself, with what agents chosen by name say of themselves too."""
    about = plan.about()
    said = [
        description(agent) if agent.describes_itself and isinstance(named, str) else description(named)
        for named, agent in zip(plan.agents, agents, strict=True)
    ]
    return {**about, "descriptions": said} if any(one is not None for one in said) else about


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
) -> Iterator[ResultRow]:
    """The records of the given episodes, each as soon as it ends; in this process `player` plays, if there is one."""
    if not isinstance(processes, Cluster) and (processes == 1 or len(episodes) < 2):
        first = player or EpisodePlayer(plan)
        return make_rows_here(episodes, first, partial(_another_player, first), concurrency)

    def died(episode: int) -> EpisodeRecord:
        return unplayed(plan, episode, "the process that played it died (a crash, no memory, or it was killed).")

    journal = None if player is None else player.journal
    together = concurrency if journal is not None or concurrency > 1 else None
    return make_rows_elsewhere(episodes, partial(EpisodePlayer, plan), processes, journal, together, died)


def _another_player(first: EpisodePlayer) -> EpisodePlayer:
    """One with a game and agents of its own; agents that can make others like them share a client that way."""
    chosen = zip(first.plan.agents, first.agents, strict=True)
    own = [
        fresh_agent(agent) if agent.makes_fresh_ones or not isinstance(named, str) else named for named, agent in chosen
    ]
    player = EpisodePlayer(replace(first.plan, agents=tuple(own)), first.journal)
    player.plan = first.plan  # by which the records call them
    return player


@dataclass(frozen=True)
class MatchResult:
    """The records of a match in episode order, and their summary; `earlier` are failures that were played again.

    The records of a match with a file lie there and are read as they are asked for."""

    plan: MatchPlan
    episodes: Sequence[dict[str, Any]]
    earlier: list[dict[str, Any]] = field(default_factory=list)

    @cached_property
    def finished(self) -> Sequence[dict[str, Any]]:
        return _records(self.episodes, [place for place, row in enumerate(self.episodes) if not row["failed"]])

    def returns(self) -> np.ndarray:
        """[episode, seat] of the episodes that did not fail."""
        found = (value for row in self.finished for value in row["returns"])
        return np.fromiter(found, float).reshape(-1, len(self.plan.agents))

    def without_luck(self) -> list[dict[str, Any]]:
        """Of each seat mean and standard error of returns from which luck is taken out (see `running/variates.py`).

        `worth` is how many times as many episodes the plain mean needs for that error. Empty where no luck is known.
        """
        rows = without_luck(self.finished, lambda name, seat: self.plan.agents[seat])
        told = []
        for seat in range(len(self.plan.agents) if rows else 0):
            found = mean_and_error(np.array([row["returns"][seat] for row in rows or ()], float))
            plain, own = mean_and_error(self.returns()[:, seat])["standard_error"], found["standard_error"]
            told.append({**found, "worth": (plain / own) ** 2 if plain and own else None})
        return told

    def summary(self, variates: bool = False) -> dict[str, Any]:
        """What the match has found out; with `variates`, seats have `without_luck` too, where that is known."""
        luckless = self.without_luck() if variates else []
        roles = registry.load(self.plan.id).game(**dict(self.plan.options)).seats
        failures: list[str] = []
        returns, lengths = array("d"), array("d")
        events: dict[str, float] = {}
        counts = {name: np.zeros(len(roles), int) for name in ("illegal", "forfeits", "drawn", "late")}
        unfinished = 0
        for row in self.episodes:  # once: they may lie in a file
            counts["illegal"] += row["illegal"]
            if row["failed"]:
                failures.append(row["failed"])
                continue
            returns.extend(row["returns"])
            lengths.append(row["length"])
            unfinished += "unfinished" in row
            counts["forfeits"] += [row.get("forfeit") == role for role in roles]
            for name in ("drawn", "late"):
                counts[name] += row.get(name, 0)
            for name, count in row["events"].items():
                events[name] = events.get(name, 0.0) + count
        collected = np.array(returns).reshape(-1, len(roles))
        return {
            **self.plan.about(),
            "episodes": len(self.episodes),
            "failed": len(failures),
            "first_failure": failures[0] if failures else None,
            **({"failed_before": len(self.earlier)} if self.earlier else {}),
            "unfinished": unfinished,
            "seats": [
                {
                    "seat": role,
                    "agent": agent_name(self.plan.agents[seat]),
                    **mean_and_error(collected[:, seat]),
                    **({"without_luck": luckless[seat]} if luckless else {}),
                    **{name: int(own[seat]) for name, own in counts.items() if name != "late" or self.plan.clock},
                }
                for seat, role in enumerate(roles)
            ],
            "length": mean_and_error(np.array(lengths)),
            "events": {name: count / len(lengths) for name, count in events.items()},
        }
