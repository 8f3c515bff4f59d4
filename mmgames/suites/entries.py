"""What a suite consists of: entries as data (environment, protocol, agents, published figures), and a run of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.agents.base import AgentLike
from mmgames.agents.identity import agent_name
from mmgames.core.seeding import RunSeed
from mmgames.running.clocks import Clock
from mmgames.running.episodes import OnIllegal
from mmgames.running.journal import Budget
from mmgames.running.processes import Workers
from mmgames.suites.starts import Starts
from mmgames.text.replies import Reading

Players = str | AgentLike | tuple[str | AgentLike, ...]
"""One agent for all seats, or one for each."""


@dataclass(frozen=True)
class PublishedFigure:
    """A published number, with its standard error where one is known, and where the source slips."""

    value: float
    standard_error: float | None = None
    note: str = ""


@dataclass(frozen=True)
class SuiteEntry:
    """What one row of a suite's table is made from.

    `protocol` plays the entry and gives the measure's values, one per episode (or a single exact one).
    `normal` are the raw scores that count as 0 and as 100.
    """

    id: str
    measure: str
    protocol: Callable[[Run], np.ndarray]
    oracle: str | tuple[str, ...]
    normal: tuple[float, float]
    published: Mapping[str, PublishedFigure]
    options: Mapping[str, Any] = field(default_factory=dict)
    most: int | None = None
    """Where more episodes tell nothing new or take too long: at most so many are played."""
    oracle_most: int | None = None
    """The same for its own reference agent, which may think longer than others."""
    variant: str = ""
    """What sets this entry apart from others with the same environment."""
    whole: float | None = None
    """Where a value is a share of something, or a result between `worst` and a win, what all of it counts: errors are
    those of shares then."""
    worst: float | None = None
    """No value is below it; for shares that is 0. Where it is known, a value in which a move had to be drawn counts so
    much in the score with illegal play charged."""

    step: float | None = None
    """Where a few things count so much each and the rest less than one of them, as points beside length: one that was
    not met in few values is possible, however near each other these are."""

    def bounds(self, values: np.ndarray) -> tuple[float, float]:
        """The least and the greatest that a value can be: as far as it is known, and what counts as 0 and 100 or was
        met where it is not."""
        if self.whole is not None:
            return self.worst or 0.0, self.whole
        known = [*self.normal, *values.tolist(), *([] if self.worst is None else [self.worst])]
        return min(known), max(known)

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all other entries of its suite."""
        return self.id, self.variant


def in_per_cent(
    id: str,
    measure: str,
    protocol: Callable[[Run], np.ndarray],
    oracle: str | tuple[str, ...] = "oracle",
    published: Mapping[str, PublishedFigure] | None = None,
    **more: Any,
) -> SuiteEntry:
    """An entry whose values are shares, from 0 to 100; `more` are further fields."""
    return SuiteEntry(id, measure, protocol, oracle, (0.0, 100.0), published or {}, whole=100.0, **more)


@dataclass(frozen=True)
class Run:
    """What a protocol gets: the entry, the agent to be measured, how many episodes, and where to keep records."""

    entry: SuiteEntry
    agent: Players
    episodes: int
    seed: RunSeed
    processes: Workers
    out: Path | None
    progress: bool
    details: dict[str, Any] = field(default_factory=dict)
    on_illegal: OnIllegal = "retry_random"
    concurrency: int = 1
    budget: Budget | None = None
    reading: Reading = "paragraph"
    counts: RowCounts = field(default_factory=lambda: RowCounts())
    starts: Starts = field(default_factory=Starts)
    variates: bool = False
    """Whether the luck of episodes is found out, so that scores can be told without it."""
    clock: Clock | None = None


@dataclass
class RowCounts:
    """What stands beside the score of a row."""

    replies: int = 0  # of the measured agent, legal or not
    illegal: int = 0
    drawn: int = 0  # moves that were played in its place
    again: int = 0  # replies that were not read and asked again, which costs nothing
    failed: int = 0
    first_failure: str | None = None
    failed_before: int = 0  # what had failed in earlier runs and was done again
    missing: int = 0  # values that should be there and are not
    broken: int = 0  # those of them that the measured agent itself broke off: then there is no score
    kinds: Counter[str] = field(default_factory=Counter)  # of illegal replies, where it is known why
    policy: str = ""  # what an illegal reply costs, where it is not what the suite says
    with_drawn: list[bool] = field(default_factory=list)  # of each value, whether a move in it was drawn
    clusters: list[Hashable] = field(default_factory=list)  # of each value, what it hangs together with, if anything
    luck: list[np.ndarray] = field(default_factory=list)  # of the values, part by part: [value, luck]
    people: set[str] = field(default_factory=set)  # the codes of participants whose records these are
    given_up: int = 0  # rounds that they gave up, which count as lost
    resampled: np.ndarray | None = None  # the value made from resampled replies, where there is only one; none: exact
    deals: list[str] = field(default_factory=list)  # of each value, which deal or question it is about
    lost: list[str] = field(default_factory=list)  # those of the missing values

    def fail(self, failures: Sequence[str], before: int = 0) -> None:
        self.failed += len(failures)
        self.first_failure = self.first_failure or (failures[0] if failures else None)
        self.failed_before += before


RELEASED = "released data"
"""What stands after the agent's name where it was measured on data that a paper released."""


def players_name(players: Players) -> str:
    return " + ".join(agent_name(player) for player in (players if isinstance(players, tuple) else (players,)))


def records_path(run: Run, name: str, part: str = "") -> Path | None:
    """The file in the run's folder for what is kept under a name; None: nothing is kept."""
    released = "released" if "released" in run.entry.options else ""
    label = "-".join(filter(None, (name, run.entry.variant, released, players_name(run.agent), part)))
    return None if run.out is None else run.out / (re.sub(r"[^\w.=,-]+", "_", label) + ".jsonl")
