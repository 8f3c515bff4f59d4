"""Measure agents on a suite and print their results beside the published ones.

  mmgames eval vs-bench --agent random --episodes 1000
  mmgames eval vs-bench --agent oracle --json
  mmgames eval vs-bench --agent random --agent oracle --markdown results.md --radar behaviour.png
  mmgames eval comma --solver scripted_solver --expert random --episodes 100
  mmgames eval comma --agent random --set rules=released
  mmgames eval lvlm-playground --agent random --episodes 1000 --only TicTacToe-Rule --only Chess-Rule

`oracle` stands for each game's own reference agent. A game that needs an extra which is not installed is left out and
named; --strict refuses to begin then. With --out the episodes are kept in a folder, and the same
command goes on where it stopped. A suite may take arguments of its own: `mmgames eval comma --help` shows those too.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmgames.agents.base import Agent
from mmgames.commands import _arguments
from mmgames.text.command_line import add_settings, count, seed

if TYPE_CHECKING:
    from mmgames.suites.suite import Suite
    from mmgames.text.replies import Reading

SUMMARY = "measure an agent on a suite, beside the published figures"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="the suite, such as vs-bench")
    parser.add_argument(
        "--agent", action="append", metavar="A", help="the agent (default: oracle); name several for one table"
    )
    add_settings(parser, "an option of the games")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="play this environment only (repeat)")
    parser.add_argument(
        "--strict", action="store_true", help="play nothing if a game needs an extra that is not installed"
    )
    parser.add_argument("--episodes", type=count, default=100, metavar="N", help="per game (default 100)")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument("--out", metavar="FOLDER", help="keep the episodes in this folder and go on from them")
    _arguments.add_workers(parser)
    _arguments.add_reading(parser, default=None)
    _arguments.add_runner(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="play nothing; estimate how many replies an agent would give"
    )
    parser.add_argument(
        "--replies-from",
        metavar="RUN",
        help="ask nobody: score the replies that an earlier run's folder holds once more (no key, no model); "
        "with --reading in both readings, side by side",
    )
    parser.add_argument("--markdown", metavar="FILE", help="also write the table as a Markdown page")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def more_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Those of the suite that is named."""
    from mmgames.suites import find, suites

    known = suites()
    named = [word for word in words if word in known]
    if words and not named and not words[0].startswith("-"):
        find(words[0])  # there is none: better said now than of the arguments that it does not have
    for name in named[:1]:
        known[name].arguments(parser.add_argument_group(f"arguments of {name}"))


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.commands.match import default_processes
    from mmgames.suites import holes, result_files
    from mmgames.suites.pages import tables
    from mmgames.suites.pages.plots import check_writable
    from mmgames.text.tables import text_table

    suite = suites.find(args.suite)
    if args.reading is not None:
        suite = replace(suite, reading=args.reading)
    suite.check_arguments(args)
    if args.markdown:
        check_writable(args.markdown, "The page")
    taken = ("self", "agent", "episodes", "seed", "processes", "out", "progress", "only", "concurrency", "budget")
    options = _arguments.settings(args, *taken, "strict", "left_out", "reading")
    budget = _arguments.budget(args)
    chosen = [*(args.agent or []), *suite.agents(args)] or ["oracle"]
    named = [player for agent in chosen for player in (agent if isinstance(agent, tuple) else (agent,))]
    at_the_terminal = any(str(name).partition(":")[0] in ("human", "person") for name in named)
    earlier = result_files.holes(args.replies_from) if args.replies_from else []
    if told := holes.sentence(suite.holes(args.only, args.strict, earlier)):
        print(f"mmgames: {told}", file=sys.stderr, flush=True)
    if args.dry_run:
        return estimate(suite, args, options, len(chosen))
    workers = _arguments.workers(args, default_processes(args.episodes))
    alone = {"processes": 1, "concurrency": 1} if at_the_terminal else {}
    how = {"processes": workers, "concurrency": args.concurrency, "budget": budget, **options, **alone}
    results = measure(suite, args, chosen, {**how, "progress": not at_the_terminal})
    if args.json:
        print(json.dumps(results[0] if len(results) == 1 else {"results": results}, indent=2))
    else:
        print(f"{suite.title}, {args.episodes} episodes, seed {args.seed}\n")
        print(text_table(tables.HEAD[:-1], [cells[:-1] for cells in tables.rows(results)]))
        for result in results:
            first, *others = [*suite.remarks(result), *tables.asides(result)]
            print("\n  ".join([f"\n{result['agent']}: {first}", *others]))
        for line in holes.lines(results):
            print(f"\n{line}")
        if budget.spent["tokens"]:
            money = f", {budget.spent['money']:.4f} in money" if budget.prices else ""
            ended = "".join(f"; {number} {how}" for how, number in budget.ended.most_common())
            print(f"\n{budget.spent['calls']:.0f} calls, {budget.spent['tokens']:,.0f} tokens{money}{ended}")
    pictures = suite.plot(args, results)
    if args.markdown:
        agents = [word for agent in chosen for word in suite.words(agent)]
        settings = [word for name, value in args.set for word in ("--set", f"{name}={value}")]
        only = [word for name in args.only for word in ("--only", name)]
        reading = ["--reading", args.reading] if args.reading else []
        words = [*agents, "--episodes", str(args.episodes), "--seed", str(args.seed), *reading, *settings, *only]
        command = f"mmgames eval {suite.name} {shlex.join(words)} --markdown FILE"
        names = {caption: Path(file).name for caption, file in pictures.items()}
        Path(args.markdown).write_text(suite.page(command, results, names), encoding="utf-8")
    return 0 if any(row["raw"] is not None for result in results for row in result["rows"]) else 1


def measure(suite: Suite, args: argparse.Namespace, chosen: Sequence[Any], how: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of all agents; those of recorded replies note both readings, if one is named."""
    from mmgames.suites import result_files
    from mmgames.suites.entries import players_name

    def evaluated(suite: Suite, out: str | None) -> list[dict[str, Any]]:
        same = {"out": out, "only": args.only, "strict": args.strict, **how}
        if not args.replies_from:
            return [suite.evaluate(agent, args.episodes, args.seed, **same) for agent in chosen]
        holes = [result_files.holes(args.replies_from, players_name(agent)) for agent in chosen]
        return [
            suite.evaluate(agent, args.episodes, args.seed, left_out=left_out, **same)
            for agent, left_out in zip(chosen, holes, strict=True)
        ]

    with recorded(args.replies_from, args.out, suite.reading) as out:
        results = evaluated(suite, out)
    if args.replies_from and args.reading:
        other: Reading = "strict" if args.reading == "lenient" else "lenient"
        with recorded(args.replies_from, None, other) as spare:
            result_files.note_readings(results, evaluated(replace(suite, reading=other), spare), args.out)
    return results


@contextmanager
def recorded(replies_from: str | None, out: str | None, reading: Reading) -> Iterator[str | None]:
    """The folder to play in; with --replies-from it has the earlier run's journals, and nobody is asked."""
    from mmgames.running.journal import copy_journals, offline

    if not replies_from:
        yield out
        return
    with tempfile.TemporaryDirectory() as spare, offline():
        copy_journals(replies_from, out or spare, reading)
        yield out or spare


class Dummy(Agent):
    """Moves at random and answers nothing: it stands for a model when calls are counted."""

    name = "dry run"

    def act(self, turn: Any) -> Any:
        return turn.sample()

    def answer(self, observation: Any) -> str:
        return ""


def estimate(suite: Any, args: argparse.Namespace, options: dict[str, Any], agents: int) -> int:
    """Count the replies of a few episodes of random play, and say what that makes for all of them."""
    from mmgames.text.tables import text_table

    few = min(2, args.episodes)
    result = suite.evaluate(Dummy(), few, args.seed, only=args.only, strict=args.strict, **options)
    rows, whole = [], 0.0
    for row in result["rows"]:
        if row["illegal"]["replies"]:
            per = row["illegal"]["replies"] / max(1, row["episodes"])
            most = next((entry.most for entry in suite.entries if entry.id == row["environment"]), None)
            count = per * (1 if row["standard_error"] is None else min(args.episodes, most or args.episodes))
            rows.append([row["environment"], f"{per:,.0f}", f"{count:,.0f}"])
            whole += count
    if args.json:
        print(json.dumps({"suite": suite.name, "estimated_replies": round(whole) * agents, "agents": agents}, indent=2))
        return 0
    print(text_table(("environment", "replies an episode", "replies"), rows, right=(1, 2)))
    print(
        f"\nabout {whole * agents:,.0f} replies in all, without retries; estimated from {few} episodes of random play"
    )
    return 0
