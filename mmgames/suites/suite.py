"""The suite contract: a suite has entries, and one engine plays them and makes a result of what came out."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Self

import gymnasium
import numpy as np

from mmgames import tasks
from mmgames.agents.answering import SEEN
from mmgames.agents.finding import make_agent
from mmgames.agents.identity import agent_name, split_name
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.seeding import RunSeed, SealedSeed, public_seed
from mmgames.errors import MmgamesError, unknown
from mmgames.readers import READERS
from mmgames.running.clocks import read_clock
from mmgames.running.episodes import OnIllegal, check_counts
from mmgames.running.journal import Budget
from mmgames.running.processes import Workers
from mmgames.suites import people, starts
from mmgames.suites.command_line import CommandLineHooks
from mmgames.suites.entries import RELEASED, Players, Run, SuiteEntry, players_name
from mmgames.suites.floors.kept import floor_of
from mmgames.suites.protocols import shown
from mmgames.suites.questions import Asker
from mmgames.suites.results import result_files, unplayed
from mmgames.suites.results.rows import header, make_row, overall_charged
from mmgames.tasks.env import TaskEnv
from mmgames.tasks.questions import TaskSpec
from mmgames.text.replies import Reading, check_reading, said_reading

FOR_COMPARISONS = ("values", "values_without_luck", "clusters", "deals", "lost", "bounds", "normal")
"""What only files hold of a row; comparisons are made from it."""


@dataclass(frozen=True)
class Suite(CommandLineHooks):
    READ_AS_RELEASED: ClassVar[Mapping[str, str]] = {}
    """Options by which its games themselves ask and read as the paper's code does;"""
    READER: ClassVar[str] = ""
    """otherwise whose reader it is, where it has another name."""

    name: str
    title: str
    entries: tuple[SuiteEntry, ...]
    behaviour: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Environment -> axis -> the events it counts."""
    on_illegal: OnIllegal = "retry_random"
    """What an illegal reply of the measured agent costs in a match; each is counted and stands beside the score."""
    reading: Reading = "paragraph"
    """How replies are read: by the paragraph of `text/replies.py`, or ("released") as the paper's own code does."""
    released: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Where the entries are about data that the paper released: environment -> the file and what is in it."""
    every: tuple[SuiteEntry, ...] = ()
    """All entries of the suite, where `entries` are some of them: what a mean should be over. Set by itself."""

    def __post_init__(self) -> None:
        if not self.every:
            object.__setattr__(self, "every", self.entries)

    def evaluate(
        self,
        agent: Players,
        episodes: int = 100,
        seed: RunSeed = 0,
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

        `"oracle"` stands for each entry's own reference agent. `out` is a folder for the episode records; an evaluation
        that was stopped goes on from them. `only` names the environments to play, if not all; `options` are set on each
        of them. `processes`, `concurrency` and `budget` are as in matches. What needs an extra that is not installed is
        unplayed in the result, or with `strict` an error before anything is played; `left_out` are further ones: those
        of a run that is scored again, or what `skipped` makes of names. `write_instances` names a .jsonl file for the
        starts that were played, and `instances` such a file whose starts, seed and options are played again, at most
        all of them. A `SealedSeed` deals what only those can repeat who have its key. With `variates` rows have their
        score without luck too, where luck is known; with a `clock`, as in matches, late answers are missed moves.
        """
        check_counts(episodes, seed, processes)
        result_files.check_suite(out, self.name)
        if isinstance(agent, str) and agent_name(agent) != agent and split_name(agent)[0] in ("random", "oracle"):
            raise MmgamesError(f"{agent!r}: random and oracle stand for the suite's own rows, and keep their names.")
        seed, given = starts.taken_from(options, self.name, seed, bool(self.released))
        variates, clock = bool(options.pop("variates", False)), read_clock(options.pop("clock", None))
        nobody = people.unrecorded(agent, self._wanted(only), lambda one: {**given.options(one), **options})
        there = self.to_play(only, empty := self.unplayed(only, strict, [*left_out, *nobody]))
        entries = [_set(one, {**given.options(one), **options}) for one in there]
        chosen = [entry.oracle if agent == "oracle" else agent for entry in entries]
        for entry, players in zip(entries, chosen, strict=True):
            self.check(entry, players)
        budget, seen = budget or Budget(), {name: options[name] for name in SEEN if name in options}
        spent, ended = dict(budget.spent), Counter(budget.ended)
        how: dict[str, Any] = {"seed": seed, "processes": processes, "progress": progress, "out": out and Path(out)}
        how |= {"concurrency": concurrency, "budget": budget, "starts": given, "variates": variates, "clock": clock}
        numbers = [given.at_most(entry, _most(entry, agent, episodes)) for entry in entries]
        rows = [self._row(*what, agent, how) for what in zip(entries, chosen, numbers, strict=True)]
        result: dict[str, Any] = {
            "suite": self.name,
            "agent": self.named(agent),
            "episodes": episodes,
            **_seeded(seed, entries),
            "on_illegal": self.on_illegal,
            **said_reading(self.reading),
            **({} if clock is None else {"clock": str(clock)}),
            "header": header(agent, entries, public_seed(seed), self.first_prompts, seen),
            "rows": rows,
            "unplayed": empty,
            "over": self._over(entries),
            "behaviour": self._behaviour(rows),
            "calls": {name: budget.spent[name] - spent[name] for name in spent} | {"ended": dict(budget.ended - ended)},
            "overall_normalised": _overall(rows),
        }
        if (charged := overall_charged(rows)) is not None:
            result["overall_charged"] = charged
        result = self.complete(result, entries)
        if out is not None:
            result_files.write(Path(out), result)
        given.write(self.name, public_seed(seed))
        for row, name in product(result["rows"], FOR_COMPARISONS):
            row.pop(name, None)
        return result

    def _row(
        self, entry: SuiteEntry, players: Players, episodes: int, agent: Players, how: Mapping[str, Any]
    ) -> dict[str, Any]:
        run = Run(entry, players, episodes, on_illegal=self.on_illegal, reading=self.read_as, **how)
        known = next((one for one in self.every if one.key == entry.key), None)
        if not self.released and (floor := floor_of(self.name, entry, known)):
            run.details["floor"] = floor
        row = make_row(run, agent, entry.protocol(run))
        return {**row, "released": dict(self.released[entry.id])} if self.released else row

    def with_reading(self, reading: Reading) -> Self:
        """The suite with replies read so; "released": as its paper's code reads them, and nothing is asked again."""
        check_reading(reading, self.title)
        if reading == "released" and self.READ_AS_RELEASED:
            entries = (replace(one, options={**one.options, **self.READ_AS_RELEASED}) for one in self.entries)
            return replace(self, entries=tuple(entries))
        if reading == "released" and (self.READER or self.name) not in READERS:
            raise MmgamesError(f"How the code of {self.title} reads replies is not known here; leave --reading out.")
        return replace(self, reading=reading)

    @property
    def read_as(self) -> Reading:
        """The reading of its matches and questions, which names the paper."""
        return (self.READER or self.name) if self.reading == "released" else self.reading  # type: ignore[return-value]

    def with_released(self, path: str | os.PathLike[str]) -> Self:
        """The suite over the data that its paper released, in a file or folder that a user has."""
        raise MmgamesError(f"The suite {self.name} reads no released data; leave --released out.")

    def over_questions(
        self, path: str | os.PathLike[str], entries: Iterable[SuiteEntry], holds: Callable[[Path, TaskSpec], Any]
    ) -> Self:
        """The suite with those of these entries whose questions are in the released files, each asked once at most."""
        found: list[SuiteEntry] = []
        facts: dict[str, Mapping[str, Any]] = {}
        for entry in entries:
            if holds(Path(path), tasks.find(entry.id)):
                own: Any = TaskEnv(entry.id, actions="text", observe="text", released=path).source
                facts[entry.id] = own.file.facts()
                told = {"released": str(path)}
                found.append(replace(entry, options=told, most=own.rows, oracle_most=None, variant=""))
        return self.over_entries(path, found, facts)

    def over_entries(
        self, path: str | os.PathLike[str], entries: Iterable[SuiteEntry], facts: Mapping[str, Any]
    ) -> Self:
        """The suite with these entries, which are about released data; `facts` say of each where it lies."""
        if not (entries := tuple(entries)):
            raise MmgamesError(f"{path} holds nothing that the suite {self.name} knows as released data.")
        return replace(self, entries=entries, released=facts)

    def named(self, agent: Players) -> str:
        """What results call an agent."""
        return players_name(agent) + (f", {RELEASED}" if self.released else "")

    def unplayed(
        self, only: Sequence[str] | str | None = (), strict: bool = False, left_out: Sequence[Mapping[str, Any]] = ()
    ) -> list[dict[str, Any]]:
        """The entries that an evaluation with the same keywords would not play."""
        return unplayed.find(self._wanted(only), strict, left_out)

    def to_play(self, only: Sequence[str] | str | None, empty: Sequence[Mapping[str, Any]]) -> list[SuiteEntry]:
        """The entries that are played where these are not."""
        missing = set(map(unplayed.key, empty))
        return [entry for entry in self._wanted(only) if entry.key not in missing]

    def skipped(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The entries that a user leaves out, as `left_out` takes them; each is named by its environment, which means
        all entries of it, or as ENVIRONMENT/ENTRY: "Spy/spy against random"."""
        found = []
        for name in names:
            variant = next((entry.variant for entry in self.entries if name.endswith(f"/{entry.variant}")), None)
            ids = self.ids_of(name if variant is None else name.removesuffix(f"/{variant}"))
            own = [entry for entry in self.entries if entry.id in ids and variant in (None, entry.variant)]
            found += [{"environment": entry.id, "variant": entry.variant, "skipped": True} for entry in own]
        return found

    def _wanted(self, only: Sequence[str] | str | None) -> list[SuiteEntry]:
        ids = self.ids_of(only)
        return [entry for entry in self.entries if not ids or entry.id in ids]

    def mean_of(self, entry: SuiteEntry) -> str:
        """The name of the mean that an entry goes into, if the suite has several; empty: into none."""
        return unplayed.ALL

    def published_deviation(self, entry: SuiteEntry) -> float | None:
        """How much a published model's episodes of an entry differ: their standard deviation, in normalised points."""
        return None

    def _over(self, played: Sequence[SuiteEntry]) -> dict[str, dict[str, int]]:
        """Of each mean, how many environments it is over, and of how many."""
        pairs = [[(self.mean_of(entry), entry.id) for entry in entries] for entries in (played, self.every)]
        whole = [[(unplayed.ALL, entry.id) for entry in entries] for entries in (played, self.every)]
        return {**unplayed.counted(*whole), **unplayed.counted(*pairs)}

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteEntry]) -> dict[str, Any]:
        """A result with what only this suite adds to it; `entries` are those that were played."""
        return result

    def check(self, entry: SuiteEntry, players: Players) -> None:
        """An agent that cannot play a game, or an option it does not know, is said before any is played."""
        spec = registry.load(entry.id).game(**entry.options).spec
        for player in players if isinstance(players, tuple) else (players,):
            make_agent(player, spec)

    def asker(self, entry: SuiteEntry) -> type[Asker] | None:
        """What asks the questions of an entry; None where it is played."""
        return None

    def first_prompts(self, entry: SuiteEntry, style: Mapping[str, Any], seed: int) -> list[str]:
        """The text that every seat, or whoever answers, would be shown first from this seed."""
        if entry.id not in registry.specs:
            shown = {name: value for name, value in style.items() if name in ("observe", "reasoning")}
            options = {**shown, **entry.options, "reading": self.read_as}
            env: Any = gymnasium.make(entry.id, actions="text", disable_env_checker=True, **options)
            return [env.unwrapped.reset(seed=seed)[0].get("text", "")]
        loaded = registry.load(entry.id)
        live = LiveGame(loaded, loaded.game(**entry.options), self.read_as)
        live.start(np.random.default_rng(seed))
        observer = Observer(live.loaded, live.game, **{**SEEN, **style})
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


def _set(entry: SuiteEntry, options: Mapping[str, Any]) -> SuiteEntry:
    """An entry with these options. How games are shown is no option of theirs: it goes to whoever answers."""
    asks = entry.id not in registry.specs
    style = {} if asks else {name: options[name] for name in SEEN if name in options and name not in entry.options}
    own = {name: value for name, value in options.items() if name not in (style or ("legal_in_text",) * asks)}
    made = replace(entry, options={**entry.options, **own})
    if not style:
        return made
    game = registry.load(entry.id)
    Observer(game, game.game(**made.options), **style)  # what is wrong is said now
    return replace(made, protocol=shown(style, entry.protocol))


def _seeded(seed: RunSeed, entries: Sequence[SuiteEntry]) -> dict[str, Any]:
    """What a result says of its seed; of a sealed one also which games have the same starts with every key."""
    if not isinstance(seed, SealedSeed):
        return {"seed": seed}
    games = {one.id: registry.load(one.id).game(**one.options) for one in entries if one.id in registry.specs}
    public = [id for id, game in games.items() if game.starts or not game.draws]
    return {"seed": seed.public, "sealed": seed.fingerprint, "public": public}


def _overall(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """The mean of all scores; a game without one does not leave the others a better mean."""
    normalised = [row["normalised"] for row in rows]
    return float(np.mean(normalised)) if rows and None not in normalised else None


def _most(entry: SuiteEntry, agent: Players, episodes: int) -> int:
    """How many of these episodes tell something new."""
    return min(episodes, entry.most or episodes, (agent == "oracle" and entry.oracle_most) or episodes)
