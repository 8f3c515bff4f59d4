"""Measure an agent on a suite, beside the published figures."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmgames.commands import _arguments
from mmgames.readers import READERS

if TYPE_CHECKING:
    from mmgames.suites.suite import Suite


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
    options |= {name: value for name in ("clock", "variates", "instances") if (value := getattr(args, name))}
    if args.write_instances:
        check_writable(args.write_instances, "The file of starts")
    budget = _arguments.budget(args)
    chosen = [*(args.agent or []), *suite.agents(args)] or ["oracle"]
    named = [player for agent in chosen for player in (agent if isinstance(agent, tuple) else (agent,))]
    given_names(named)
    at_the_terminal = any(str(name).partition(":")[0] in ("human", "person") for name in named)
    skipped = suite.skipped(args.skip)
    earlier = result_files.unplayed(args.replies_from) if args.replies_from else []
    empty = suite.unplayed(args.only, args.strict, [*skipped, *earlier])
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
    for name in ("reading", "released", "instances", "clock"):
        words += [f"--{name}", value] if (value := getattr(args, name)) else []
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
    from mmgames.text.tables import text_table, wrapped

    if args.json:
        print(json.dumps(results[0] if len(results) == 1 else {"results": results}, indent=2))
        return
    print(f"{suite.title}, {args.episodes} episodes, seed {results[0]['seed']}{seals.heading(results[0])}\n")
    short = tables.short_agents(results)
    for result in results:
        print(wrapped(f"{short[result['agent']]}: {'; '.join(suite.headline(result))}"))
    for line in tables.legend(results):
        print(line)
    if args.wide:
        print("\n" + text_table(tables.head(results)[:-1], [cells[:-1] for cells in tables.rows(results)]))
    else:
        print("\n" + text_table(*tables.summary(results)))
    print()
    for result in results:
        for line in [*(suite.remarks(result) if args.wide else ()), *tables.asides(result)]:
            print(wrapped(f"{short[result['agent']]}, {line}"))
    for line in (*(tables.explained(results) if args.wide else ()), *unplayed.lines(results)):
        print(wrapped(line.replace("**", "")))
    if not args.wide:
        print(wrapped("--wide shows what else was measured, and what the columns mean."))
    if budget.spent["tokens"]:
        ended = "".join(f"; {number} {how}" for how, number in budget.ended.most_common())
        print(f"\n{budget.in_words()}{ended}")


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
    if args.replies_from and args.reading and (suite.READER or suite.name) in READERS:
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
