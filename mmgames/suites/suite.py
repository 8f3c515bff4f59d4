"""The suite contract: entries are data (environment, protocol, agents, published figures), one engine plays them."""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import os
import platform
import re
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from mmgames.agents.answering import SEEN
from mmgames.agents.base import Agent, AgentLike, as_agent
from mmgames.agents.finding import find_agent, make_agent, make_agents
from mmgames.agents.identity import agent_name, description, fresh_agent
from mmgames.core import registry
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.errors import MmgamesError, Unavailable, unknown
from mmgames.running.episodes import OnIllegal, check_counts
from mmgames.running.journal import Budget, BudgetSpent, Journal
from mmgames.running.matches import MatchResult, failed_rows, finished_rows, match, mean_and_error
from mmgames.running.processes import Workers
from mmgames.running.records import Fields, Records
from mmgames.running.threads import crew
from mmgames.suites import holes, result_files
from mmgames.suites.pages import plots, tables
from mmgames.suites.pages.tables import figure
from mmgames.text.refusals import NOT_RECORDED
from mmgames.text.tables import markdown_table

Players = str | AgentLike | tuple[str | AgentLike, ...]
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
    oracle_most: int | None = None
    """The same for its own reference agent, which may think longer than others."""
    variant: str = ""
    """What sets this entry apart from others with the same environment."""


@dataclass(frozen=True)
class Run:
    """What a protocol gets: the entry, the agent to be measured, how many episodes, and where to keep records."""

    entry: SuiteRow
    agent: Players
    episodes: int
    seed: int
    processes: Workers
    out: Path | None
    progress: bool
    details: dict[str, Any] = field(default_factory=dict)
    on_illegal: OnIllegal = "retry_random"
    concurrency: int = 1
    budget: Budget | None = None
    counts: Counts = field(default_factory=lambda: Counts())


@dataclass
class Counts:
    """What stands beside the score of a row."""

    replies: int = 0  # of the measured agent, legal or not
    illegal: int = 0
    drawn: int = 0  # moves that were played in its place
    failed: int = 0
    first_failure: str | None = None
    failed_before: int = 0  # what had failed in earlier runs and was done again
    missing: int = 0  # values that should be there and are not
    broken: int = 0  # those of them that the measured agent itself broke off: then there is no score
    kinds: Counter[str] = field(default_factory=Counter)  # of illegal replies, where it is known why
    policy: str = ""  # what an illegal reply costs, where it is not what the suite says

    def fail(self, failures: Sequence[str], before: int = 0) -> None:
        self.failed += len(failures)
        self.first_failure = self.first_failure or (failures[0] if failures else None)
        self.failed_before += before


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    entries: tuple[SuiteRow, ...]
    behaviour: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Environment -> axis -> the events it counts."""
    on_illegal: OnIllegal = "retry_random"
    """What an illegal reply of the measured agent costs in a match; each is counted and stands beside the score."""
    every: tuple[SuiteRow, ...] = ()
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
        ids = self._ids(only)
        wanted = [entry for entry in self.entries if not ids or entry.id in ids]
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
            run = Run(entry, players, most, seed, processes, folder, progress, {}, self.on_illegal, concurrency, budget)
            rows.append(make_row(run, agent, entry.protocol(run)))
        normalised = [row["normalised"] for row in rows]
        result: dict[str, Any] = {
            "suite": self.name,
            "agent": players_name(agent),
            "episodes": episodes,
            "seed": seed,
            "on_illegal": self.on_illegal,
            "header": header(agent, entries, seed, self),
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
        ids = self._ids(only)
        return holes.find([entry for entry in self.entries if not ids or entry.id in ids], strict, left_out)

    def mean_of(self, entry: SuiteRow) -> str:
        """The name of the mean that an entry goes into, if the suite has several; empty: into none."""
        return holes.ALL

    def _over(self, played: Sequence[SuiteRow]) -> dict[str, dict[str, int]]:
        """Of each mean, how many environments it is over, and of how many."""
        pairs = [[(self.mean_of(entry), entry.id) for entry in entries] for entries in (played, self.every)]
        whole = [[(holes.ALL, entry.id) for entry in entries] for entries in (played, self.every)]
        return {**holes.counted(*whole), **holes.counted(*pairs)}

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteRow]) -> dict[str, Any]:
        """A result with what only this suite adds to it; `entries` are those that were played."""
        return result

    def check(self, entry: SuiteRow, players: Players) -> None:
        """An agent that cannot play a game, or an option it does not know, is said before any is played."""
        spec = registry.load(entry.id).game(**entry.options).spec
        for player in players if isinstance(players, tuple) else (players,):
            make_agent(player, spec)

    def first_prompts(self, entry: SuiteRow, style: Mapping[str, Any], seed: int) -> list[str]:
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
        return registry.find(name).id

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        """What a radar plot of a result shows, from 0 to 1: each axis and how far out the line is."""
        return behaviour_shares(result)

    radar_title = "social behaviour, share of events"

    def radar_axes(self, only: Sequence[str]) -> Collection[str]:
        """The axes of a radar plot of these environments, of all if none is named."""
        ids = self._ids(only)
        return [axis for id, axes in self.behaviour.items() if not ids or id in ids for axis in axes]

    def arguments(self, parser: Any) -> None:
        """Add the arguments that only this suite has to those of `mmgames eval`."""
        parser.add_argument("--radar", metavar="FILE", help=f"also plot a radar: {self.radar_title} (plot extra)")

    def check_arguments(self, args: argparse.Namespace) -> None:
        """A sentence about a plot that cannot be drawn or written; better before anything is played than after it."""
        if getattr(args, "radar", None):  # a suite may have other arguments
            plots.check(args.radar)
            if (axes := len(self.radar_axes(args.only))) < plots.FEWEST_AXES:
                raise MmgamesError(
                    f"--radar: a radar plot of these environments would have {axes} axes, and needs "
                    f"{plots.FEWEST_AXES}; choose others with --only, or leave it out."
                )

    def agents(self, args: argparse.Namespace) -> list[Players]:
        """The agents that are chosen with arguments of its own."""
        return []

    def words(self, players: Players) -> tuple[str, ...]:
        """The arguments that choose these agents."""
        return ("--agent", players_name(players))

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        """Draw the plots that its arguments ask for: caption -> file."""
        if not getattr(args, "radar", None):
            return {}
        shares = {result["agent"]: self.radar(result) for result in results}
        plots.radar(args.radar, f"{self.title}\n{self.radar_title}", shares)
        return {self.radar_title.capitalize(): args.radar}

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        """The page of results in Markdown; `pictures` are captions and files beside it. A suite with a paper's tables
        lays them out with `suites.pages.layout`."""
        return tables.page(self.title, command, results, self.sections(results), pictures)

    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        """What the page of results has after the common tables, in Markdown."""
        mean = [[result["agent"], overall_figure(result)] for result in results]
        return [
            "Normalised, random play being 0 and the reference 100, mean over the environments:",
            markdown_table(("agent", "overall"), mean),
        ]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        """What is said about a result below the table on the terminal, a line each."""
        lines = [f"overall normalised {overall_figure(result)}"]
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


def header(agent: Players, entries: Sequence[SuiteRow], seed: int, suite: Suite) -> dict[str, Any]:
    """What made the numbers, beside agent, seed, episodes and the price of illegal replies.

    `prompts`, for agents that read them, has a hash of each entry's first prompts: other words, another hash.
    """
    from mmgames import __version__

    said = [_says(one) for one in (agent if isinstance(agent, tuple) else (agent,))]
    readers = [one for one, _ in said if one is not None and one.can_answer]
    prompts = {}
    for entry in entries if readers else ():
        texts = "\0".join(suite.first_prompts(entry, readers[0].style, seed))
        hashed = hashlib.sha256(texts.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        prompts[" ".join(filter(None, (entry.id, entry.variant)))] = hashed
    names = ("gymnasium", "numpy", "openai", "torch", "transformers")
    packages = {name: version for name in names if (version := _installed(name))}
    return {
        "versions": {"mmgames": __version__, "python": platform.python_version(), **packages},
        "agents": [words for _, words in said],
        "options": {entry.id: dict(entry.options) for entry in entries if entry.options},
        **({"prompts": prompts} if prompts else {}),
    }


def _says(agent: str | AgentLike) -> tuple[Agent | None, Any]:
    """An agent as an object, where its name alone makes one, and what it says of itself, if it does."""
    if isinstance(agent, str):
        try:
            found = find_agent(agent, next(iter(registry.specs.values())))
        except MmgamesError:
            return None, None  # known to some of the games only; these say nothing of themselves
        if not found.describes_itself and not found.can_answer:
            return None, None
        return found, description(found)
    return as_agent(agent), description(agent)


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def overall_figure(result: Mapping[str, Any]) -> str:
    """The overall score, or why there is none; one with holes says so."""
    without = sum(row["normalised"] is None for row in result["rows"])
    if without:
        return f"– ({without} of {len(result['rows'])} rows have no score)"
    missing = sum(row["missing"] for row in result["rows"])
    told = f" ({missing} values are missing)" if missing else ""
    return figure(result["overall_normalised"], 1) + holes.over(result) + told


def make_row(run: Run, agent: Players, values: np.ndarray) -> dict[str, Any]:
    entry, counts = run.entry, run.counts
    # Who breaks off when things go badly is not measured by the rest.
    result = mean_and_error(values if not counts.broken else values[:0])
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
        "illegal": {
            "policy": counts.policy or run.on_illegal,
            "replies": counts.replies,
            "illegal": counts.illegal,
            "rate": counts.illegal / counts.replies if counts.replies else None,
            "drawn": counts.drawn,
            **({"kinds": dict(counts.kinds.most_common())} if counts.kinds else {}),
        },
        "failed": counts.failed,
        "first_failure": counts.first_failure,
        "failed_before": counts.failed_before,
        "missing": counts.missing,
        "broken": counts.broken,
        "values": values.tolist(),
        "normal": list(entry.normal),
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


def play_match(
    run: Run, agents: Any, episodes: int, part: str = "", measured: Collection[Seat] | None = None, **how: Any
) -> MatchResult:
    """A match of the entry's game, kept in the run's folder; what happened in it goes into the details and counts.

    `measured` are the seats of the agent that the run is about; without it, those in which it sits. `how` are further
    keywords of the match, such as `on_illegal`.
    """
    how.setdefault("on_illegal", run.on_illegal)
    result = match(
        run.entry.id,
        agents,
        episodes,
        run.seed,
        out=records_path(run, registry.find(run.entry.id).name, part),
        processes=run.processes,
        progress=run.progress,
        concurrency=run.concurrency,
        budget=run.budget,
        **how,
        **run.entry.options,
    )
    if measured is None:
        own = run.agent if isinstance(run.agent, tuple) else (run.agent,)
        measured = [seat for seat, player in enumerate(result.plan.agents) if _among(player, own)]
    _count(run.counts, result, measured)
    if not part:
        run.details["events"] = result.summary()["events"]
    return result


def _among(player: str | AgentLike, others: Sequence[str | AgentLike]) -> bool:
    return any(player is one or (isinstance(player, str) and player == one) for one in others)


def refusal_kinds(replies: Iterable[Mapping[str, Any]]) -> list[str]:
    """The kinds of the replies that were refused; records of before kinds were kept do not tell."""
    return [reply.get("kind", NOT_RECORDED) for reply in replies if "refused" in reply]


def _count(counts: Counts, result: MatchResult, measured: Collection[Seat]) -> None:
    """Add up what the measured seats replied, and what failed."""
    roles = registry.load(result.plan.id).game(**dict(result.plan.options)).seats
    own = {roles[seat] for seat in measured}
    for row in result.episodes:
        drawn = row.get("drawn", [0] * len(roles))
        for seat in measured:
            moves = sum(actions[seat] is not None for actions in row["actions"])
            counts.replies += moves - drawn[seat] + row["illegal"][seat]
            counts.illegal += row["illegal"][seat]
            counts.drawn += drawn[seat]
        counts.kinds.update(refusal_kinds(reply for reply in row.get("replies", ()) if reply["seat"] in own))
        if row["failed"]:
            counts.missing += 1
            counts.broken += row.get("failed_seat") in own and not row.get("unavailable")
    counts.fail([row["failed"] for row in result.episodes if row["failed"]], len(result.earlier))


def against(opponent: str) -> Callable[[Run], np.ndarray]:
    """A protocol: half of the episodes in the first seat, half in the second, always against `opponent`."""

    def protocol(run: Run) -> np.ndarray:
        values = []
        for seat in (0, 1):
            agents = (run.agent, opponent) if seat == 0 else (opponent, run.agent)
            games = (run.episodes + 1 - seat) // 2
            if not games:
                continue
            result = play_match(run, agents, games, f"seat-{seat}", (seat,))
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

POLICY_FIELDS: Fields = {
    "number": lambda value: isinstance(value, int),
    "shares": lambda value: isinstance(value, list),
    "replies": lambda value: isinstance(value, list),
    "failed": lambda value: value is None or isinstance(value, str),
}


def minus_exploitability(run: Run) -> np.ndarray:
    """One exact value: minus the exploitability of the agent's policy.

    An agent that does not tell its policy is asked 25 times per view; what it replied is kept like episodes are. What
    an illegal reply costs is the same as in a match: asked again, then any legal move.
    """
    from mmgames.baselines.search.exploitability import exact, exploitability, information_sets

    if isinstance(run.agent, tuple):
        raise MmgamesError(f"{run.entry.id}: exploitability is measured of one agent, not of a pair.")
    game = registry.load(run.entry.id).game(**run.entry.options)
    agents = make_agents([run.agent] * len(game.seats), game.spec)
    views = list(information_sets(game).items())
    if all(agent.tells_probabilities for agent in agents):
        known = {view: exact(agents[seat], game, seat, state) for view, (seat, state) in views}
        return np.array([-exploitability(game, known)])
    rows = _asked_views(run, agents, game, views)
    failures = [row for row in rows if row["failed"]]
    run.counts.fail([row["failed"] for row in failures])
    for row in rows:
        run.counts.replies += len(row["replies"])
        refused = refusal_kinds(row["replies"])
        run.counts.illegal += len(refused)
        run.counts.kinds.update(refused)
        run.counts.drawn += row["drawn"]
    if failures:
        run.counts.missing = 1
        run.counts.broken = int(any(not row.get("unavailable") for row in failures))
        return np.array([])
    policy = {view: dict(map(tuple, row["shares"])) for (view, _), row in zip(views, rows, strict=True)}
    return np.array([-exploitability(game, policy)])


def _asked_views(run: Run, agents: Sequence[Agent], game: Any, views: Sequence[Any]) -> list[dict[str, Any]]:
    """A row for each view: what the agent does there, from the run's folder as far as it was asked before."""
    from mmgames import __version__
    from mmgames.baselines.search.exploitability import asked

    path = records_path(run, registry.find(run.entry.id).name)
    said = description(agents[0] if agents[0].describes_itself else run.agent)  # type: ignore[arg-type]
    about = {"policy": run.entry.id, "agent": players_name(run.agent), "queries": QUERIES, "seed": run.seed}
    about |= {"options": dict(run.entry.options), "version": __version__} | (
        {} if said is None else {"description": said}
    )
    records = Records(path, about, POLICY_FIELDS) if path is not None else None
    with records or nullcontext():
        kept = {} if records is None else finished_rows(records, "number", len(views))
        run.counts.failed_before = 0 if records is None else len(failed_rows(records, "number", len(views)))
        missing = [number for number in range(len(views)) if number not in kept]
        with Journal(None if path is None else path.with_suffix(".calls.jsonl"), about, run.budget) as journal:
            seated: list[Sequence[Agent]] = []
            lock = threading.Lock()

            def worker() -> Callable[[int], dict[str, Any]]:
                with lock:
                    own = [fresh_agent(agent) for agent in agents] if seated else agents
                    seated.append(own)
                return lambda number: view(number, own)

            def view(number: int, own: Sequence[Agent]) -> dict[str, Any]:
                seat, state = views[number][1]
                row: dict[str, Any] = {"number": number, "shares": [], "replies": [], "drawn": 0, "failed": None}
                own[seat].keep(journal, f"view {number}")
                try:
                    found = asked(own[seat], game, seat, state, QUERIES, np.random.default_rng((run.seed, number)))
                    row["shares"] = [list(item) for item in found.shares.items()]
                    row |= {"replies": found.replies, "drawn": found.drawn}
                except BudgetSpent:
                    raise
                except Exception as error:
                    row["failed"] = f"{players_name(run.agent)}: {type(error).__name__}: {error}"
                    row |= {"unavailable": True} if isinstance(error, Unavailable) else {}
                return row

            for row in crew(missing, worker, run.concurrency):
                if records is not None:
                    records.add(row)
                kept[row["number"]] = row
            for agent in (agent for own in seated for agent in own):
                agent.close()
    return [kept[number] for number in range(len(views))]
