"""Measure agents on a suite and print their results beside the published ones.

  mmgames eval vs-bench --agent random --episodes 1000
  mmgames eval vs-bench --agent oracle --json
  mmgames eval vs-bench --agent random --agent oracle --markdown results.md --radar behaviour.png
  mmgames eval comma --solver scripted_solver --expert random --episodes 100
  mmgames eval comma --agent random --set rules=released
  mmgames eval lvlm-playground --agent random --episodes 1000 --only TicTacToe-Rule --only Chess-Rule
  mmgames eval vs-bench --agent random --released VS-Bench/data --episodes 400

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
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmgames.commands import _arguments
from mmgames.readers import READERS
from mmgames.text.command_line import add_settings, count, seed

if TYPE_CHECKING:
    from mmgames.suites.suite import Suite

SUMMARY = "measure an agent on a suite, beside the published figures"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="the suite, such as vs-bench")
    parser.add_argument(
        "--agent", action="append", metavar="A", help="the agent (default: oracle); name several for one table"
    )
    add_settings(parser, "an option of the games")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="play this environment only (repeat)")
    parser.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="ID",
        help="leave out this environment, or one ID/ENTRY of it (repeat)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="play nothing if a game needs an extra that is not installed"
    )
    parser.add_argument(
        "--released",
        metavar="PATH",
        help="the data that the paper released, a file or folder that you have, in place of what is made here",
    )
    parser.add_argument("--episodes", type=count, default=100, metavar="N", help="per game (default 100)")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument(
        "--instances", metavar="FILE", help="play the starts that this .jsonl file of --write-instances holds"
    )
    parser.add_argument("--write-instances", metavar="FILE", help="write the starts that were played to a .jsonl file")
    _arguments.add_sealed(parser)
    parser.add_argument("--out", metavar="FOLDER", help="keep the episodes in this folder and go on from them")
    _arguments.add_workers(parser)
    _arguments.add_reading(parser, default=None)
    _arguments.add_clock(parser)
    _arguments.add_runner(parser)
    _arguments.add_variates(parser)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="ask nobody; estimate the calls, tokens and money that a model would take",
    )
    parser.add_argument(
        "--reply-tokens",
        type=count,
        default=150,
        metavar="N",
        help="with --dry-run: so many tokens a reply has (default 150)",
    )
    parser.add_argument(
        "--replies-from",
        metavar="RUN",
        help="ask nobody: score the replies that an earlier run's folder holds once more (no key, no model); "
        "with --reading in both readings, side by side",
    )
    parser.add_argument("--markdown", metavar="FILE", help="also write the table as a Markdown page")
    parser.add_argument("--wide", action="store_true", help="print all columns and all that was measured beside scores")
    parser.add_argument("--complete", action="store_true", help="end with an error while a value is missing")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def more_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Those of the suite that is named."""
    from mmgames.suites import find, suites

    _arguments.add_own(parser, words, suites(), find)


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.agents.identity import given_names
    from mmgames.commands.match import default_processes
    from mmgames.suites.pages.plots import check_writable
    from mmgames.suites.pages.tables import check_complete
    from mmgames.suites.results import result_files, unplayed

    suite = suites.find(args.suite)
    if args.reading is not None:
        suite = suite.with_reading(args.reading)
    if args.released:
        suite = suite.with_released(args.released)
    if args.markdown:
        check_writable(args.markdown, "The page")
    taken = ("self", "agent", "episodes", "seed", "processes", "out", "progress", "only", "concurrency", "budget")
    options = _arguments.settings(
        args, *taken, "strict", "left_out", "reading", "released", "write_instances", "variates", "clock"
    )
    suite = suite.with_settings(options)
    suite.check_arguments(args)
    if args.clock:
        options["clock"] = args.clock
    if args.variates:
        options["variates"] = True
    if args.instances:
        options["instances"] = args.instances
    if args.write_instances:
        check_writable(args.write_instances, "The file of starts")
    budget = _arguments.budget(args)
    chosen = [*(args.agent or []), *suite.agents(args)] or ["oracle"]
    named = [player for agent in chosen for player in (agent if isinstance(agent, tuple) else (agent,))]
    given_names(named)
    at_the_terminal = any(str(name).partition(":")[0] in ("human", "person") for name in named)
    skipped = suite.skipped(args.skip)

    def earlier_unplayed(agent: str | None = None) -> list[dict[str, Any]]:
        return result_files.unplayed(args.replies_from, agent) if args.replies_from else []

    empty = suite.unplayed(args.only, args.strict, [*skipped, *earlier_unplayed()])
    if sentence := unplayed.sentence(empty):
        print(f"mmgames: {sentence}", file=sys.stderr, flush=True)
    if args.dry_run:
        return estimate(suite, suite.to_play(args.only, empty), chosen, args, budget, options)
    workers = _arguments.workers(args, default_processes(args.episodes))
    alone = {"processes": 1, "concurrency": 1} if at_the_terminal else {}
    how = {"processes": workers, "concurrency": args.concurrency, "budget": budget, **options, **alone}
    results = measure(suite, args, chosen, skipped, {**how, "progress": not at_the_terminal})
    print_results(suite, args, results, budget)
    pictures = suite.plot(args, results)
    if args.markdown:
        names = {caption: Path(file).name for caption, file in pictures.items()}
        Path(args.markdown).write_text(suite.page(same_command(suite, args, chosen), results, names), encoding="utf-8")
    if args.complete:
        check_complete(results)
    return 0 if any(row["raw"] is not None for result in results for row in result["rows"]) else 1


def same_command(suite: Any, args: argparse.Namespace, agents: Sequence[Any]) -> str:
    """The command that writes the same page."""
    words = [word for agent in agents for word in suite.words(agent)]
    words += ["--episodes", str(args.episodes), "--seed", str(args.seed)]
    for name, value in (
        ("--reading", args.reading),
        ("--released", args.released),
        ("--instances", args.instances),
        ("--clock", args.clock),
    ):
        words += [name, value] if value else []
    words += ["--sealed", "KEYFILE"] if args.sealed else []
    words += [word for name, value in args.set for word in ("--set", f"{name}={value}")]
    words += [word for name in args.only for word in ("--only", name)]
    words += [word for name in args.skip for word in ("--skip", name)]
    return f"mmgames eval {suite.name} {shlex.join(words)} --markdown FILE"


def print_results(suite: Any, args: argparse.Namespace, results: list[dict[str, Any]], budget: Any) -> None:
    """The results as a table with remarks, or as JSON."""
    from mmgames.running import seals
    from mmgames.suites.pages import tables
    from mmgames.suites.results import unplayed
    from mmgames.text.tables import text_table

    if args.json:
        print(json.dumps(results[0] if len(results) == 1 else {"results": results}, indent=2))
        return
    print(f"{suite.title}, {args.episodes} episodes, seed {results[0]['seed']}{seals.heading(results[0])}\n")
    short = tables.short_agents(results)
    for result in results:
        print_wrapped(f"{short[result['agent']]}: {'; '.join(suite.headline(result))}")
    for name, own in short.items():
        if name != own:
            print_wrapped(f"  {own} is {name}")
    if args.wide:
        print("\n" + text_table(tables.head(results)[:-1], [cells[:-1] for cells in tables.rows(results)]))
    else:
        print("\n" + text_table(*tables.summary(results)))
    print()
    for result in results:
        for line in [*(suite.remarks(result) if args.wide else ()), *tables.asides(result)]:
            print_wrapped(f"{short[result['agent']]}, {line}")
    for line in (*(tables.explained(results) if args.wide else ()), *unplayed.lines(results)):
        print_wrapped(line.replace("**", ""))
    if not args.wide:
        print_wrapped("--wide shows what else was measured, and what the columns mean.")
    if budget.spent["tokens"]:
        ended = "".join(f"; {number} {how}" for how, number in budget.ended.most_common())
        print(f"\n{budget.in_words()}{ended}")


def print_wrapped(line: str) -> None:
    """A line in as many columns as a terminal has; what cannot be broken stays whole."""
    from mmgames.suites.pages.tables import COLUMNS

    print(textwrap.fill(line, COLUMNS, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def measure(
    suite: Suite, args: argparse.Namespace, chosen: Sequence[Any], skipped: Sequence[Any], how: dict[str, Any]
) -> list[dict[str, Any]]:
    """The results of all agents; those of recorded replies note both readings, if one is named."""
    from mmgames.suites.results import result_files

    dealt_from = _arguments.run_seed(args)

    def evaluated(suite: Suite, out: str | None, instances: str | None) -> list[dict[str, Any]]:
        same = {"out": out, "only": args.only, "strict": args.strict, **how}
        results = []
        for agent in chosen:
            unplayed = result_files.unplayed(args.replies_from, suite.named(agent)) if args.replies_from else []
            file = instances if agent is chosen[0] else None
            own = {"left_out": [*skipped, *unplayed], "write_instances": file, **same}
            results.append(suite.evaluate(agent, args.episodes, dealt_from, **own))
        return results

    with recorded(args.replies_from, args.out, suite) as out:
        results = evaluated(suite, out, args.write_instances)
    if args.replies_from and args.reading and suite.name in READERS:
        other = suite.with_reading("paragraph" if args.reading == "released" else "released")
        with recorded(args.replies_from, None, other) as spare:
            result_files.note_readings(results, evaluated(other, spare, None), args.out)
    return results


@contextmanager
def recorded(replies_from: str | None, out: str | None, suite: Suite) -> Iterator[str | None]:
    """The folder to play in; with --replies-from it has the earlier run's journals, and nobody is asked."""
    from mmgames.running.journal import copy_journals, offline

    if not replies_from:
        yield out
        return
    with tempfile.TemporaryDirectory() as spare, offline():
        copy_journals(replies_from, out or spare, suite.read_as, suite.on_illegal)
        yield out or spare


def estimate(
    suite: Any, entries: Sequence[Any], chosen: Sequence[Any], args: argparse.Namespace, budget: Any, options: Any
) -> int:
    """Say what a run would take, counted on a few episodes in which nobody is asked."""
    from mmgames.commands import _estimates
    from mmgames.text.tables import text_table

    whole, refused = _estimates.CallCounts(), _estimates.CallCounts()
    rows: dict[str, _estimates.CallCounts] = {}
    for players in chosen:
        what = (suite, entries, players, args.episodes, args.seed, budget, args.reply_tokens)
        for name, counts in _estimates.estimate_calls(*what, **options).items():
            rows.setdefault(name, _estimates.CallCounts()).add(counts)
            whole.add(counts)
        for counts in _estimates.estimate_calls(*what, legal=False, **options).values():
            refused.add(counts)
    money = None if whole.cost is None else round(whole.cost, 4)
    took = {name: round(value) for name, value in vars(whole).items() if name != "money"} | {"money": money}
    if args.json:
        said = {"suite": suite.name, "estimated_replies": took["calls"], **took, "agents": len(chosen)}
        print(json.dumps({**said, "calls_if_all_are_refused": round(refused.calls)}, indent=2))
        return 0
    priced = bool(budget.prices)
    heads = ("environment", "calls", "tokens in", "tokens out", *(["money"] if priced else []))
    cells = [[name, *cells_of(counts, priced)] for name, counts in [*rows.items(), ("all", whole)]]
    print(text_table(heads, cells, right=range(1, len(heads))))
    print(
        f"\nabout {took['calls']:,} calls if every reply is a legal move, and {refused.calls:,.0f} if none is; counted "
        f"on {min(_estimates.FEW, args.episodes)} episodes in which nobody was asked:\nrandom moves, talk to the last "
        f"turn, every try of a question. {_estimates.CHARACTERS_PER_TOKEN:g} characters are a token,\nand replies have "
        f"{args.reply_tokens} (--reply-tokens)."
    )
    return 0


def cells_of(counts: Any, money: bool) -> list[str]:
    cells = [f"{value:,.0f}" for value in (counts.calls, counts.tokens_in, counts.tokens_out)]
    return [*cells, "price unknown" if counts.cost is None else f"{counts.cost:.4f}"] if money else cells
