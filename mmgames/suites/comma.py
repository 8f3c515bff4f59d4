"""COMMA: solver and expert talk a puzzle through. Success, partial success, mistakes, length, efficiency, privacy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.identity import agent_name
from mmgames.core.table import markdown
from mmgames.matches import mean_and_error
from mmgames.suites import dialogue, plot, privacy
from mmgames.suites.suite import Figure, Players, Run, Suite, SuiteRow, play_match
from mmgames.suites.tables import figure, short_name, with_error

SCRIPTED = ("scripted_solver", "scripted_expert")
STARTS = 100  # the paper's figures are over a hundred fixed starts of each puzzle
NOTE = "random solver, silent expert, over 100 starts, with the released code's rules; its error is binomial"

# Success and partial success of the random solver, in per cent.
RANDOM: dict[str, tuple[float, float | None, str]] = {
    "WirePuzzle": (57, 57, ""),
    "TelehealthPuzzle": (3, 16, ""),
    "WhoPuzzle": (44, 44, ""),
    "LedPuzzle": (14, 32, ""),
    "MemoryPuzzle": (0, 15, ""),
    "KeypadPuzzle": (1, 18, ""),
    "PasswordPuzzle": (0, 0, ""),
    "ColorPuzzle": (0, 6, ""),
    "MazePuzzle": (3, None, "; the paper prints a partial success of 0, which 3 % success makes impossible"),
    "AtmPuzzle": (0, 0, ""),
}


TALK_HEAD = (
    *("environment", "agent", "partial % ± s.e.", "published partial %", "mistakes", "length", "tokens"),
    *("efficiency", "episodes with a leak"),
)


def talk(run: Run) -> np.ndarray:
    """Plays the puzzle; the values are 0 or 100 per episode, and the other measures go into the details."""
    result = play_match(run, run.agent, run.episodes)
    rows = result.finished
    game: Any = registry.load(run.entry.id).game(**run.entry.options)
    turns, full_length = game.turns, int(game.options["turns"])  # the released rules allow one message more
    solved = np.array([row["events"]["solved"] for row in rows], float)
    partial = np.array([row["returns"][0] for row in rows], float)
    spent = np.array([dialogue.tokens(row["transcript"]) for row in rows], float)
    length = np.array([row["events"]["turns"] if row["events"]["solved"] else full_length for row in rows], float)
    leaked = [privacy.leaks(row["transcript"], row["private"]) for row in rows]
    tags = [dialogue.error_tags(row["transcript"], row["action_names"]) for row in rows]
    tokens = float(spent.mean()) if len(rows) else 0.0
    run.details.update(
        partial=mean_and_error(100 * partial),
        mistakes=mean_and_error(np.array([row["events"]["mistakes"] for row in rows], float)),
        length=mean_and_error(length),
        tokens=mean_and_error(spent),
        efficiency=dialogue.efficiency(float(partial.mean()) if len(rows) else 0.0, tokens),
        leaks=mean_and_error(np.array([bool(facts) for facts in leaked], float)),
        leaked_sentences=[facts[0]["sentence"] for facts in leaked if facts][:3],
        errors={tag: float(np.mean([row[tag] > 0 for row in tags])) for tag in (tags[0] if tags else {})},
        solved_by_turn=[float(np.mean(solved * (length <= turn))) for turn in range(1, turns + 1)] if len(rows) else [],
    )
    partial_published = RANDOM[registry.find(run.entry.id).name][1]
    if "random" in run.entry.published and run.agent == "random" and partial_published is not None:
        run.details["published_partial"] = partial_published
    return 100 * solved


class Comma(Suite):
    def evaluate(self, agent: Players, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As every suite. The published row was made with `rules="released"` and stands only beside such runs."""
        if kwargs.get("rules") == "released":
            return super().evaluate(agent, *args, **kwargs)
        without = replace(self, entries=tuple(replace(entry, published={}) for entry in self.entries))
        return Suite.evaluate(without, agent, *args, **kwargs)

    def arguments(self, parser: Any) -> None:
        parser.add_argument("--solver", metavar="A", help="the agent in the solver's seat")
        parser.add_argument("--expert", metavar="A", help="the agent in the expert's seat")
        parser.add_argument("--turns", metavar="FILE", help="also plot success against allowed turns (plot extra)")

    def check_arguments(self, args: argparse.Namespace) -> None:
        if args.turns:
            plot.check(args.turns)

    def agents(self, args: argparse.Namespace) -> list[Players]:
        solver, expert = SCRIPTED
        return [(args.solver or solver, args.expert or expert)] if args.solver or args.expert else []

    def words(self, players: Players) -> tuple[str, ...]:
        if not isinstance(players, tuple):
            return super().words(players)
        solver, expert = map(agent_name, players)
        return ("--solver", solver, "--expert", expert)

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        if not args.turns:
            return {}
        series = {result["agent"]: _by_turn(result) for result in results}
        plot.lines(args.turns, f"{self.title}: success against allowed turns", "turns", "share solved", series)
        return {"Success against allowed turns": args.turns}

    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        talk = [
            [
                short_name(row),
                row["agent"],
                with_error(row["partial"]),
                figure(row.get("published_partial"), 0),
                *(figure(row[name]["mean"]) for name in ("mistakes", "length", "tokens")),
                figure(row["efficiency"]),
                figure(row["leaks"]["mean"]),
            ]
            for result in results
            for row in result["rows"]
        ]
        return [markdown(TALK_HEAD, talk), *super().sections(results)]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        lines = []
        for row in result["rows"]:
            partial = with_error(row["partial"]) + " % partial"
            if "published_partial" in row:
                partial += f" (published {row['published_partial']})"
            parts = [partial]
            parts += [f"{name} {figure(row[name]['mean'])}" for name in ("mistakes", "length", "tokens", "leaks")]
            parts.append(f"efficiency {figure(row['efficiency'])}")
            parts += [f"{tag} {share:.0%}" for tag, share in row["errors"].items() if share]
            lines.append(f"{short_name(row)}: {', '.join(parts)}")
        return [*super().remarks(result), *lines]


def _by_turn(result: dict[str, Any]) -> list[float]:
    """The share of all episodes solved within 1, 2, … turns, mean over the puzzles."""
    curves = [row["solved_by_turn"] for row in result["rows"] if row["solved_by_turn"]]
    return [sum(column) / len(curves) for column in zip(*curves, strict=True)]


def _entry(name: str) -> SuiteRow:
    success, _, note = RANDOM[name]
    share = (success + 0.5) / (STARTS + 1)  # so that none of a hundred has an error too
    return SuiteRow(
        id=f"mmgames/{name}-v0",
        measure="success in per cent",
        protocol=talk,
        oracle=SCRIPTED,
        normal=(0.0, 100.0),
        published={"random": Figure(success, 100 * sqrt(share * (1 - share) / STARTS), NOTE + note)},
    )


SUITE = Comma(
    name="comma",
    title="COMMA",
    entries=tuple(_entry(name) for name in RANDOM),
    on_illegal="silent",  # whatever is no action is speech; what cannot even be that is silence, and costs the turn
)
