"""COMMA: solver and expert talk a puzzle through. Success, partial success, mistakes, length, efficiency, privacy."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.identity import agent_name
from mmgames.core import registry
from mmgames.core.turn import Turn
from mmgames.datasets.files import digest
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation import starts
from mmgames.running.matches import match
from mmgames.running.statistics import mean_and_error, pooled
from mmgames.suites.entries import Players, PublishedFigure, Run, SuiteEntry, in_per_cent
from mmgames.suites.pages import comma as comma_page
from mmgames.suites.pages import plots
from mmgames.suites.pages.layout import PaperTable
from mmgames.suites.pages.tables import figure, score_of, with_error
from mmgames.suites.papers import published
from mmgames.suites.protocols import play_match
from mmgames.suites.results import unplayed
from mmgames.suites.results.settings import short_name
from mmgames.suites.spoken import dialogue, privacy
from mmgames.suites.suite import Suite

SCRIPTED = ("scripted_solver", "scripted_expert")
STARTS = 100  # the paper's figures are over a hundred fixed starts of each puzzle
NOTE = "random solver, silent expert, over 100 starts, with the released code's rules; its error is binomial"

CHANCE = (
    "measured on the same starts: a mute solver presses any button but those that were mistakes since something worked"
)
MEASURES = ("partial", "mistakes", "length", "table_length", "tokens", "leaks")
"""What a row tells besides success, each with its error; and so does the overall row."""
SHARES = {"partial": 100.0, "leaks": 1.0}
"""Those of them that are shares, and what all of it counts."""


def talk(run: Run) -> np.ndarray:
    """Plays the puzzle; the values are 0 or 100 per episode, and the other measures go into the details.

    `length` is as the paper's sentence defines it: turns until success, and all of them where there is none.
    `table_length` is what its table holds: half of the messages of both, rounded down, whatever came of it.
    """
    result = play_match(run, run.agent, run.episodes)
    rows = result.finished
    game: Any = registry.load(run.entry.id).game(**run.entry.options)
    turns = int(game.options["turns"])
    solved = np.array([row["events"]["solved"] for row in rows], float)
    length = np.array([row["events"]["turns"] if row["events"]["solved"] else turns for row in rows], float)
    leaked = [privacy.leaks(row["transcript"], row["private"]) for row in rows]
    written = [dialogue.tokens_written(row, game.seats) for row in rows]
    tags = [dialogue.error_tags(row["transcript"], row["action_names"]) for row in rows]
    values = {
        "partial": [100 * row["returns"][0] for row in rows],
        "mistakes": [row["events"]["mistakes"] for row in rows],
        "length": length,
        "table_length": [row["events"]["messages"] // 2 for row in rows],
        "tokens": [tokens for tokens, _ in written],
        "leaks": [bool(facts) for facts in leaked],
    }
    together = run.counts.clusters or None
    run.details.update(
        {name: mean_and_error(np.array(all_, float), together, SHARES.get(name)) for name, all_ in values.items()}
    )
    run.details.update(
        efficiency=_efficiency(run.details),
        tokens_counted={
            seat: " or ".join(dict.fromkeys(how[seat] for _, how in written)) for seat in game.seats if written
        },
        leaked_sentences=[facts[0]["sentence"] for facts in leaked if facts][:3],
        errors={tag: float(np.mean([row[tag] > 0 for row in tags])) for tag in dialogue.TAGS} if rows else {},
        solved_by_turn=[float(np.mean(solved * (length <= turn))) for turn in range(1, turns + 1)] if rows else [],
    )
    if _released(run.entry) and run.agent == "random":
        partial = published.tables("comma")["Table 1"].row("Random").cells[_column(run.entry.id)]
        run.details["published_partial"] = partial.value
    run.details["chance"] = _chance(run, [row["seed"] for row in result.episodes])
    return 100 * solved


class MutePresser(Agent):
    """Presses any button that was no mistake since something last worked, and never says a word."""

    def act(self, turn: Turn) -> str:
        wrong: set[str] = set()
        for done in (done for said in turn.view.dialogue for done in said.results):
            wrong = {*wrong, done.action} if done.mistake else set()
        left = [name for name in turn.legal if name not in wrong] or list(turn.legal)
        return left[int(turn.rng.integers(len(left)))] if left else ""


def _chance(run: Run, seeds: Sequence[int]) -> dict[str, Any]:
    """What is solved without a word and without looking, from the same starts."""
    result = match(run.entry.id, MutePresser(), len(seeds), seeds, **run.entry.options)
    solved = np.array([row["events"]["solved"] for row in result.finished], float)
    return {**mean_and_error(100 * solved, whole=100.0), "source": CHANCE}


def _efficiency(measured: Mapping[str, Any]) -> float | None:
    partial, tokens = measured["partial"]["mean"], measured["tokens"]["mean"]
    return None if partial is None else dialogue.efficiency(partial / 100, tokens)


def _released(entry: SuiteEntry) -> bool:
    """Whether the published rows were made so."""
    return entry.options.get("rules") == "released" and entry.options.get("difficulty", "standard") == "standard"


def _column(id: str) -> str:
    name = registry.find(id).name
    return next(column for column, puzzle in comma_page.COLUMNS.items() if puzzle == name)


class Comma(Suite):
    READ_AS_RELEASED: ClassVar[Mapping[str, str]] = {"rules": "released"}

    def with_released(self, path: str | os.PathLike[str]) -> Self:
        """Over the configurations that were released; Telehealth's need photographs that were not."""
        where = f"The released configurations {os.fspath(path)!r}"
        found = starts.released_starts(starts.read_json(path, where))
        if found is None:
            raise MmgamesError(f"{where} are no list of objects with one key each, the name of a puzzle.")
        changed = Path(path).stat().st_mtime_ns
        facts, entries = {}, []
        for entry in self.entries:
            name = registry.find(entry.id).name
            own = found.get(starts.RELEASED_NAMES.get(name, name), ())
            if own and name != "TelehealthPuzzle":
                facts[entry.id] = {"file": str(path), "rows": len(own), "sha256": digest(Path(path), changed)}
                entries.append(replace(entry, options={**entry.options, "instances": str(path)}, most=len(own)))
        return self.over_entries(path, entries, facts)

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteEntry]) -> dict[str, Any]:
        """Adds `overall`: every measure over all puzzles, each of which weighs the same.

        The published rows were made with `rules="released"` and stand only beside such runs.
        """
        rows = result["rows"]
        for row, entry in zip(rows, entries, strict=True):
            row["published"] = row["published"] if _released(entry) else None
        own = {"success": [score_of(row) for row in rows]}
        own |= {name: [row[name] for row in rows] for name in MEASURES}
        overall: dict[str, Any] = {name: pooled(found) for name, found in own.items()}
        overall["efficiency"] = _efficiency(overall)
        overall["errors"] = {
            tag: float(np.mean([row["errors"].get(tag, 0.0) for row in rows])) for tag in dialogue.TAGS
        }
        return {**result, "overall": overall}

    def arguments(self, parser: Any) -> None:
        parser.add_argument("--solver", metavar="A", help="the agent in the solver's seat")
        parser.add_argument("--expert", metavar="A", help="the agent in the expert's seat")
        for name, what in comma_page.PLOTS.items():
            parser.add_argument(f"--{name}", metavar="FILE", help=f"also plot {what} (plot extra)")

    def check_arguments(self, args: argparse.Namespace) -> None:
        for name in comma_page.PLOTS:
            if getattr(args, name):
                plots.check(getattr(args, name))

    def agents(self, args: argparse.Namespace) -> list[Players]:
        solver, expert = SCRIPTED
        return [(args.solver or solver, args.expert or expert)] if args.solver or args.expert else []

    def words(self, players: Players) -> tuple[str, ...]:
        if not isinstance(players, tuple):
            return super().words(players)
        solver, expert = (player if isinstance(player, str) else agent_name(player) for player in players)
        return ("--solver", solver, "--expert", expert)

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        drawn = {}
        for name, what in comma_page.PLOTS.items():
            if path := getattr(args, name):
                comma_page.draw(name, path, results)
                drawn[what.capitalize()] = path
        return drawn

    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        return comma_page.tables(results)

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        return comma_page.page(self.title, command, results, pictures)

    def remarks(self, result: dict[str, Any]) -> list[str]:
        lines = []
        for row in result["rows"]:
            partial = with_error(row["partial"]) + " % partial"
            if row.get("published_partial") is not None:
                partial += f" (published {row['published_partial']})"
            lines.append(f"{short_name(row)}: {', '.join([partial, *_measured(row)])}")
        return lines

    def headline(self, result: dict[str, Any]) -> list[str]:
        overall = result["overall"]
        both = f"{with_error(overall['success'])} % success, {with_error(overall['partial'])} % partial"
        return [f"overall{unplayed.over(result)}: {', '.join([both, *_measured(overall)])}"]


def _counted(row: Mapping[str, Any]) -> str:
    """How tokens were counted, where not in words."""
    told = [f"the {seat}'s in {how}" for seat, how in row.get("tokens_counted", {}).items() if how != dialogue.WORDS]
    return f" (tokens: {', '.join(told)})" if told else ""


def _measured(row: Mapping[str, Any]) -> list[str]:
    parts = [f"{name} {figure(row[name]['mean'])}" for name in ("mistakes", "length")]
    parts.append(f"length as the paper's table counts it {figure(row['table_length']['mean'])}")
    parts += [f"{name} {figure(row[name]['mean'])}" for name in ("tokens", "leaks")]
    parts.append(f"efficiency {figure(row['efficiency'])}{_counted(row)}")
    return parts + [f"{tag} {share:.0%}" for tag, share in row["errors"].items() if share]


def _entry(column: str, name: str) -> SuiteEntry:
    figures = {}
    for row in published.tables("comma")["Table 3"].rows.values():
        success = row.cells[column].value or 0.0
        share = (success + 0.5) / (STARTS + 1)  # so that none of a hundred has an error too
        error = 100 * sqrt(share * (1 - share) / STARTS) if row.name == "Random" else row.cells[column].error
        figures["random" if row.name == "Random" else row.name] = PublishedFigure(success, error, NOTE)
    return in_per_cent(f"mmgames/{name}-v0", "success in per cent", talk, SCRIPTED, figures)


SUITE = Comma(
    name="comma",
    title="COMMA",
    entries=tuple(_entry(column, name) for column, name in comma_page.COLUMNS.items()),
    on_illegal="silent",  # whatever is no action is speech; what cannot even be that is silence, and costs the turn
)
