"""The suite contract: entries are data (environment, protocol, agents, published figures), one engine plays them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.agents import Agent, make_agent
from mmgames.matches import match, mean_and_error


@dataclass(frozen=True)
class Figure:
    """A published number, with its standard error where one is known, and where the source slips."""

    value: float
    standard_error: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Entry:
    """One row of a suite's table.

    `protocol` plays the entry and gives the measure's values, one per episode (or a single exact one).
    `normal` are the raw scores that count as 0 and as 100.
    """

    id: str
    measure: str
    protocol: Callable[[Run], np.ndarray]
    oracle: str
    normal: tuple[float, float]
    published: Mapping[str, Figure]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """What a protocol gets: the entry, the agent to be measured, how many episodes, and where to keep records."""

    entry: Entry
    agent: str | Agent
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
    entries: tuple[Entry, ...]

    def evaluate(
        self,
        agent: str | Agent,
        episodes: int = 100,
        seed: int = 0,
        *,
        processes: int = 1,
        out: str | os.PathLike[str] | None = None,
        progress: bool = False,
    ) -> dict[str, Any]:
        """Raw and normalised results of an agent on every entry, beside the published ones.

        `"oracle"` stands for each entry's own reference agent. `out` is a folder for the episode records; an
        evaluation that was stopped goes on from them.
        """
        chosen = [entry.oracle if agent == "oracle" else agent for entry in self.entries]
        for entry, player in zip(self.entries, chosen, strict=True):
            make_agent(player, registry.find(entry.id))  # an agent that cannot play a game is said before any is played
        rows = []
        for entry, player in zip(self.entries, chosen, strict=True):
            folder = None if out is None else Path(out)
            run = Run(entry, player, episodes, seed, processes, folder, progress)
            rows.append(_row(run, agent, entry.protocol(run)))
        normalised = [row["normalised"] for row in rows if row["normalised"] is not None]
        return {
            "suite": self.name,
            "agent": agent if isinstance(agent, str) else type(agent).__name__,
            "episodes": episodes,
            "seed": seed,
            "rows": rows,
            "overall_normalised": float(np.mean(normalised)) if normalised else None,
        }


def _row(run: Run, agent: str | Agent, values: np.ndarray) -> dict[str, Any]:
    entry = run.entry
    result = mean_and_error(values)
    mean, error = result["mean"], result["standard_error"]
    low, high = entry.normal
    scale = 100 / (high - low)
    row: dict[str, Any] = {
        "environment": entry.id,
        "measure": entry.measure,
        "agent": run.agent if isinstance(run.agent, str) else type(run.agent).__name__,
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
    entry = run.entry
    name = registry.find(entry.id).name
    label = run.agent if isinstance(run.agent, str) else type(run.agent).__name__
    path = None if run.out is None else run.out / f"{name}-{label.replace('/', '_').replace(':', '_')}.jsonl"
    result = match(
        entry.id,
        run.agent,
        run.episodes,
        run.seed,
        out=path,
        processes=run.processes,
        progress=run.progress,
        **entry.options,
    )
    summary = result.summary()
    run.details.update(events=summary["events"], failed=summary["failed"], first_failure=summary["first_failure"])
    return result.returns().mean(axis=1)


QUERIES = 25


def minus_exploitability(run: Run) -> np.ndarray:
    """One exact value: minus the exploitability of the agent's policy (asked 25 times per view if it must be)."""
    from mmgames.baselines.exploitability import exploitability, policy_of

    game = registry.load(run.entry.id).game(**run.entry.options)
    agents = [make_agent(run.agent, game.spec) for _ in game.seats]
    policy = policy_of((agents[0], agents[1]), game, QUERIES, np.random.default_rng(run.seed))
    return np.array([-exploitability(game, policy)])
