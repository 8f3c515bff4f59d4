"""Measure agents on a suite and print their results beside the published ones.

  mmgames eval vs-bench --agent random --episodes 1000
  mmgames eval vs-bench --agent oracle --json
  mmgames eval vs-bench --agent random --agent oracle --markdown results.md --radar behaviour.png

`oracle` stands for each game's own reference agent. With --out the episodes are kept in a folder, and the same
command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from mmgames.commands import _arguments

SUMMARY = "measure an agent on a suite, beside the published figures"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="the suite, such as vs-bench")
    parser.add_argument(
        "--agent", action="append", metavar="A", help="the agent (default: oracle); name several for one table"
    )
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="play this environment only (repeat)")
    parser.add_argument("--episodes", type=_arguments.count, default=100, metavar="N", help="per game (default 100)")
    parser.add_argument("--seed", type=_arguments.seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument("--out", metavar="FOLDER", help="keep the episodes in this folder and go on from them")
    parser.add_argument(
        "--processes", type=_arguments.count, metavar="P", help="worker processes (default: one per core)"
    )
    parser.add_argument("--markdown", metavar="FILE", help="also write the table as a Markdown page")
    parser.add_argument("--radar", metavar="FILE", help="also plot the social behaviour (needs the plot extra)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.commands import _table
    from mmgames.commands.match import default_processes
    from mmgames.suites import plot, tables
    from mmgames.suites.suite import behaviour_shares

    suite = suites.find(args.suite)
    results = [
        suite.evaluate(
            agent,
            args.episodes,
            args.seed,
            processes=args.processes or default_processes(args.episodes),
            out=args.out,
            progress=True,
            only=args.only,
        )
        for agent in args.agent or ["oracle"]
    ]
    if args.markdown:
        agents = " ".join(f"--agent {result['agent']}" for result in results)
        command = f"mmgames eval {suite.name} {agents} --episodes {args.episodes} --seed {args.seed} --markdown FILE"
        Path(args.markdown).write_text(tables.page(suite.title, command, results), encoding="utf-8")
    if args.radar:
        shares = {result["agent"]: behaviour_shares(result) for result in results}
        plot.radar(args.radar, f"{suite.title}\nsocial behaviour, share of events", shares)
    if args.json:
        print(json.dumps(results[0] if len(results) == 1 else {"results": results}, indent=2))
        return 0
    print(f"{suite.title}, {args.episodes} episodes, seed {args.seed}\n")
    print(_table.plain(tables.HEAD[:-1], [cells[:-1] for cells in tables.rows(results)]))
    for result in results:
        print(f"\n{result['agent']}: overall normalised {tables.figure(result['overall_normalised'], 1)}")
        for environment, axes in result["behaviour"].items():
            print(f"  {environment}: " + ", ".join(f"{axis} {count:.2f}" for axis, count in axes.items()))
    return 0
