"""The suite contract: a suite has entries, and one engine plays them and makes a result of what came out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from mmgames.agents.answering import SEEN
from mmgames.agents.finding import make_agent
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.errors import unknown
from mmgames.running.episodes import OnIllegal, check_counts
from mmgames.running.journal import Budget
from mmgames.running.processes import Workers
from mmgames.suites import holes, result_files
from mmgames.suites.command_line import CommandLineHooks
from mmgames.suites.entries import Players, Run, SuiteEntry, players_name
from mmgames.suites.results import header, make_row
from mmgames.text.replies import Reading


@dataclass(frozen=True)
class Suite(CommandLineHooks):
    name: str
    title: str
    entries: tuple[SuiteEntry, ...]
    behaviour: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Environment -> axis -> the events it counts."""
    on_illegal: OnIllegal = "retry_random"
    """What an illegal reply of the measured agent costs in a match; each is counted and stands beside the score."""
    reading: Reading = "strict"
    """How replies are read: leniently where the paper's own code looks for answers in a reply, elsewhere strictly."""
    every: tuple[SuiteEntry, ...] = ()
    """All entries of the suite, where `entries` are some of them: what a mean should be over. Set by itself."""

    def __post_init__(self) -> None:
        if not self.every:
            object.__setattr__(self, "every", self.entries)

    def evaluate(
        self,
        agent: Players,
        episodes: int = 100,
        seed: int = 0,
        *,
        processes: Workers = 1,
        out: str | os.PathLike[str] | None = None,
        progress: bool = False,
        only: Sequence[str] | str | None = (),
        concurrency: int = 1,
        budget: Budget | None = None,
        strict: bool = False,
        left_out: Sequence[Mapping[str, Any]] = (),
        **options: Any,
    ) -> dict[str, Any]:
        """Raw and normalised results of an agent on every entry, beside the published ones.

        `"oracle"` stands for each entry's own reference agent. `out` is a folder for the episode records; an
        evaluation that was stopped goes on from them. `only` names the environments to play, if not all; `options`
        are set on each of them. `processes`, `concurrency` and `budget` are as in matches. What needs an extra that is
        not installed is a hole in the result, or with `strict` an error before anything is played; `left_out` are the
        holes of a run that is scored again, and stay ones.
        """
        check_counts(episodes, seed, processes)
        wanted = self._wanted(only)
        empty = holes.find(wanted, strict, left_out)
        missing = {hole["environment"] for hole in empty}
        entries = [replace(entry, options={**entry.options, **options}) for entry in wanted if entry.id not in missing]
        chosen = [entry.oracle if agent == "oracle" else agent for entry in entries]
        for entry, players in zip(entries, chosen, strict=True):
            self.check(entry, players)
        budget = budget or Budget()
        spent, ended = dict(budget.spent), Counter(budget.ended)
        rows = []
        for entry, players in zip(entries, chosen, strict=True):
            folder = None if out is None else Path(out)
            most = min(episodes, entry.most or episodes, (agent == "oracle" and entry.oracle_most) or episodes)
            how = (self.on_illegal, concurrency, budget, self.reading)
            run = Run(entry, players, most, seed, processes, folder, progress, {}, *how)
            rows.append(make_row(run, agent, entry.protocol(run)))
        normalised = [row["normalised"] for row in rows]
        result: dict[str, Any] = {
            "suite": self.name,
            "agent": players_name(agent),
            "episodes": episodes,
            "seed": seed,
            "on_illegal": self.on_illegal,
            **({} if self.reading == "strict" else {"reading": self.reading}),
            "header": header(agent, entries, seed, self.first_prompts),
            "rows": rows,
            "holes": empty,
            "over": self._over(entries),
            "behaviour": self._behaviour(rows),
            "calls": {
                **{name: value - spent[name] for name, value in budget.spent.items()},
                "ended": dict(budget.ended - ended),
            },
            # A game without a score does not leave the others a better mean.
            "overall_normalised": float(np.mean(normalised)) if rows and None not in normalised else None,
        }
        result = self.complete(result, entries)
        if out is not None:
            result_files.write(Path(out), result)
        for row in result["rows"]:
            del row["values"], row["normal"]  # for comparisons, which are made from files
        return result

    def holes(
        self,
        only: Sequence[str] | str | None = (),
        strict: bool = False,
        left_out: Sequence[Mapping[str, Any]] = (),
    ) -> list[dict[str, Any]]:
        """The holes that an evaluation with the same keywords would have."""
        return holes.find(self._wanted(only), strict, left_out)

    def _wanted(self, only: Sequence[str] | str | None) -> list[SuiteEntry]:
        ids = self.ids_of(only)
        return [entry for entry in self.entries if not ids or entry.id in ids]

    def mean_of(self, entry: SuiteEntry) -> str:
        """The name of the mean that an entry goes into, if the suite has several; empty: into none."""
        return holes.ALL

    def _over(self, played: Sequence[SuiteEntry]) -> dict[str, dict[str, int]]:
        """Of each mean, how many environments it is over, and of how many."""
        pairs = [[(self.mean_of(entry), entry.id) for entry in entries] for entries in (played, self.every)]
        whole = [[(holes.ALL, entry.id) for entry in entries] for entries in (played, self.every)]
        return {**holes.counted(*whole), **holes.counted(*pairs)}

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteEntry]) -> dict[str, Any]:
        """A result with what only this suite adds to it; `entries` are those that were played."""
        return result

    def check(self, entry: SuiteEntry, players: Players) -> None:
        """An agent that cannot play a game, or an option it does not know, is said before any is played."""
        spec = registry.load(entry.id).game(**entry.options).spec
        for player in players if isinstance(players, tuple) else (players,):
            make_agent(player, spec)

    def first_prompts(self, entry: SuiteEntry, style: Mapping[str, Any], seed: int) -> list[str]:
        """The text that every seat, or whoever answers, would be shown first from this seed."""
        if entry.id not in registry.specs:
            shown = {name: value for name, value in style.items() if name in ("observe", "reasoning")}
            env: Any = gymnasium.make(entry.id, actions="text", disable_env_checker=True, **{**shown, **entry.options})
            return [env.unwrapped.reset(seed=seed)[0].get("text", "")]
        loaded = registry.load(entry.id)
        live = LiveGame(loaded, loaded.game(**entry.options))
        live.start(np.random.default_rng(seed))
        observer = Observer(loaded, live.game, **{**SEEN, **style})
        return [observer.text(live.view(seat)) for seat in range(len(live.game.seats))]

    def find(self, name: str) -> str:
        """The id of an environment that a user names."""
        known = {entry.id for entry in self.entries}
        own = next((id for id in (name, f"mmgames/{name}", f"mmgames/{name}-v0") if id in known), None)
        return own or self.find_other(name)

    def find_other(self, name: str) -> str:
        """The same for a name that is not simply that of an entry."""
        return registry.find(name).id

    def ids_of(self, names: Sequence[str] | str | None) -> set[str]:
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
