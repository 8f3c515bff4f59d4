"""The suite contract: entries are data (environment, protocol, agents, published figures), one engine plays them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.agents import Agent, agent_name, make_agent, make_agents
from mmgames.core.errors import unknown
from mmgames.core.table import markdown
from mmgames.episodes import check_counts
from mmgames.matches import MatchResult, match, mean_and_error
from mmgames.suites import plot
from mmgames.suites.tables import figure

Players = str | Agent | tuple[str | Agent, ...]
"""One agent for all seats, or one for each."""


@dataclass(frozen=True)
class Figure:
    """A published number, with its standard error where one is known, and where the source slips."""

    value: float
    standard_error: float | None = None
    note: str = ""


@dataclass(frozen=True)
class SuiteRow:
    """One row of a suite's table.

    `protocol` plays the entry and gives the measure's values, one per episode (or a single exact one).
    `normal` are the raw scores that count as 0 and as 100.
    """

    id: str
    measure: str
    protocol: Callable[[Run], np.ndarray]
    oracle: str | tuple[str, ...]
    normal: tuple[float, float]
    published: Mapping[str, Figure]
    options: Mapping[str, Any] = field(default_factory=dict)
    most: int | None = None
    """Where more episodes tell nothing new or take too long: at most so many are played."""
    variant: str = ""
    """What sets this entry apart from others with the same environment."""


@dataclass(frozen=True)
class Run:
    """What a protocol gets: the entry, the agent to be measured, how many episodes, and where to keep records."""

    entry: SuiteRow
    agent: Players
    episodes: int
    seed: int
    processes: int
    out: Path | None
    progress: bool
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    entries: tuple[SuiteRow, ...]
    behaviour: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Environment -> axis -> the events it counts."""

    def evaluate(
        self,
        agent: Players,
        episodes: int = 100,
        seed: int = 0,
        *,
        processes: int = 1,
        out: str | os.PathLike[str] | None = None,
        progress: bool = False,
        only: Sequence[str] | str | None = (),
        **options: Any,
    ) -> dict[str, Any]:
        """Raw and normalised results of an agent on every entry, beside the published ones.

        `"oracle"` stands for each entry's own reference agent. `out` is a folder for the episode records; an
        evaluation that was stopped goes on from them. `only` names the environments to play, if not all; `options`
        are set on each of them.
        """
        check_counts(episodes, seed, processes)
        ids = self._ids(only)
        entries = [
            replace(entry, options={**entry.options, **options}) for entry in self.entries if not ids or entry.id in ids
        ]
        chosen = [entry.oracle if agent == "oracle" else agent for entry in entries]
        for entry, players in zip(entries, chosen, strict=True):
            self.check(entry, players)
        rows = []
        for entry, players in zip(entries, chosen, strict=True):
            folder = None if out is None else Path(out)
            run = Run(entry, players, min(episodes, entry.most or episodes), seed, processes, folder, progress)
            rows.append(make_row(run, agent, entry.protocol(run)))
        normalised = [row["normalised"] for row in rows if row["normalised"] is not None]
        return {
            "suite": self.name,
            "agent": players_name(agent),
            "episodes": episodes,
            "seed": seed,
            "rows": rows,
            "behaviour": self._behaviour(rows),
            "overall_normalised": float(np.mean(normalised)) if normalised else None,
        }

    def check(self, entry: SuiteRow, players: Players) -> None:
        """An agent that cannot play a game, or an option it does not know, is said before any is played."""
        spec = registry.load(entry.id).game(**entry.options).spec
        for player in players if isinstance(players, tuple) else (players,):
            make_agent(player, spec)

    def find(self, name: str) -> str:
        """The id of an environment that a user names."""
        return registry.find(name).id

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        """What a radar plot of a result shows, from 0 to 1: each axis and how far out the line is."""
        return behaviour_shares(result)

    radar_title = "social behaviour, share of events"

    def arguments(self, parser: Any) -> None:
        """Add the arguments that only this suite has to those of `mmgames eval`."""
        parser.add_argument("--radar", metavar="FILE", help=f"also plot a radar: {self.radar_title} (plot extra)")

    def agents(self, args: argparse.Namespace) -> list[Players]:
        """The agents that are chosen with arguments of its own."""
        return []

    def words(self, players: Players) -> tuple[str, ...]:
        """The arguments that choose these agents."""
        return ("--agent", players_name(players))

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        """Draw the plots that its arguments ask for: caption -> file."""
        if not args.radar:
            return {}
        shares = {result["agent"]: self.radar(result) for result in results}
        plot.radar(args.radar, f"{self.title}\n{self.radar_title}", shares)
        return {self.radar_title.capitalize(): args.radar}

    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        """What the page of results has after the common tables, in Markdown."""
        mean = [[result["agent"], figure(result["overall_normalised"], 1)] for result in results]
        return [
            "Normalised, random play being 0 and the reference 100, mean over the environments:",
            markdown(("agent", "overall"), mean),
        ]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        """What is said about a result below the table on the terminal, a line each."""
        lines = [f"overall normalised {figure(result['overall_normalised'], 1)}"]
        for environment, axes in result["behaviour"].items():
            lines.append(f"{environment}: " + ", ".join(f"{axis} {count:.2f}" for axis, count in axes.items()))
        return lines

    def _ids(self, names: Sequence[str] | str | None) -> set[str]:
        known = [entry.id for entry in self.entries]
        ids = {self.find(name): None for name in ([names] if isinstance(names, str) else names or ())}.keys()
        for id in ids:
            if id not in known:
                raise unknown("environment", id, f"the suite {self.name}", [name.partition("/")[2] for name in known])
        return set(ids)

    def _behaviour(self, rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
        """How often each kind of event happens in an episode, by environment."""
        return {
            row["environment"]: {
                axis: sum(row["events"].get(event, 0.0) for event in events)
                for axis, events in self.behaviour[row["environment"]].items()
            }
            for row in rows
            if row["environment"] in self.behaviour and row.get("events")
        }


def behaviour_shares(result: dict[str, Any]) -> dict[str, float]:
    """Each axis as its share of what happens in its environment: the lines of a radar plot."""
    shares = {}
    for axes in result["behaviour"].values():
        whole = sum(axes.values())
        shares.update({axis: count / whole if whole else 0.0 for axis, count in axes.items()})
    return shares


def players_name(players: Players) -> str:
    return " + ".join(agent_name(player) for player in (players if isinstance(players, tuple) else (players,)))


def make_row(run: Run, agent: Players, values: np.ndarray) -> dict[str, Any]:
    entry = run.entry
    result = mean_and_error(values)
    mean, error = result["mean"], result["standard_error"]
    low, high = entry.normal
    scale = 100 / (high - low)
    row: dict[str, Any] = {
        "environment": entry.id,
        **({"variant": entry.variant} if entry.variant else {}),
        "measure": entry.measure,
        "agent": players_name(run.agent),
        "episodes": len(values),
        "raw": mean,
        "standard_error": error,
        "normalised": None if mean is None else (mean - low) * scale,
        "normalised_standard_error": None if error is None else error * scale,
        "published": None,
        **run.details,
    }
    figure = entry.published.get(agent) if isinstance(agent, str) else None
    if figure is not None and mean is not None:
        both = np.hypot(error or 0.0, figure.standard_error or 0.0)
        row["published"] = {
            "value": figure.value,
            "standard_error": figure.standard_error,
            "note": figure.note,
            "difference": mean - figure.value,
            "difference_in_standard_errors": float((mean - figure.value) / both) if both else None,
        }
    return row


def self_play(run: Run) -> np.ndarray:
    """The agent in every seat; an episode's value is the mean over its seats."""
    return play_match(run, run.agent, run.episodes).returns().mean(axis=1)


def records_path(run: Run, name: str, part: str = "") -> Path | None:
    """The file in the run's folder for what is kept under a name; None: nothing is kept."""
    label = "-".join(filter(None, (name, run.entry.variant, players_name(run.agent), part)))
    return None if run.out is None else run.out / (re.sub(r"[^\w.=,-]+", "_", label) + ".jsonl")


def play_match(run: Run, agents: Any, episodes: int, part: str = "", **how: Any) -> MatchResult:
    """A match of the entry's game, kept in the run's folder; what happened in it goes into the details.

    `how` are further keywords of the match, such as `on_illegal`.
    """
    result = match(
        run.entry.id,
        agents,
        episodes,
        run.seed,
        out=records_path(run, registry.find(run.entry.id).name, part),
        processes=run.processes,
        progress=run.progress,
        **how,
        **run.entry.options,
    )
    summary = result.summary()
    details = run.details
    details["failed"] = details.get("failed", 0) + summary["failed"]
    details["first_failure"] = details.get("first_failure") or summary["first_failure"]
    if not part:
        details["events"] = summary["events"]
    return result


def against(opponent: str) -> Callable[[Run], np.ndarray]:
    """A protocol: half of the episodes in the first seat, half in the second, always against `opponent`."""

    def protocol(run: Run) -> np.ndarray:
        values = []
        for seat in (0, 1):
            agents = (run.agent, opponent) if seat == 0 else (opponent, run.agent)
            result = play_match(run, agents, (run.episodes + 1 - seat) // 2, f"seat-{seat}")
            values.append(result.returns()[:, seat])
        return np.concatenate(values)

    return protocol


def scored(score: Callable[[Mapping[str, Any]], float]) -> Callable[[Run], np.ndarray]:
    """A protocol: self-play, an episode's value computed from its record."""

    def protocol(run: Run) -> np.ndarray:
        result = play_match(run, run.agent, run.episodes)
        return np.array([score(row) for row in result.finished])

    return protocol


QUERIES = 25


def minus_exploitability(run: Run) -> np.ndarray:
    """One exact value: minus the exploitability of the agent's policy (asked 25 times per view if it must be)."""
    from mmgames.baselines.exploitability import exploitability, policy_of

    game = registry.load(run.entry.id).game(**run.entry.options)
    assert not isinstance(run.agent, tuple)
    agents = make_agents([run.agent] * len(game.seats), game.spec)
    policy = policy_of((agents[0], agents[1]), game, QUERIES, np.random.default_rng(run.seed))
    return np.array([-exploitability(game, policy)])
