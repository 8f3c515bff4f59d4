"""Measure an agent on a suite and print its results beside the published ones.

  mmgames eval vs-bench --agent random --episodes 1000
  mmgames eval vs-bench --agent oracle --json

`oracle` stands for each game's own reference agent. With --out the episodes are kept in a folder, and the same
command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json

from mmgames.commands import _arguments

SUMMARY = "measure an agent on a suite, beside the published figures"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="the suite, such as vs-bench")
    parser.add_argument("--agent", default="oracle", metavar="A", help="the agent (default: oracle)")
    parser.add_argument("--episodes", type=_arguments.count, default=100, metavar="N", help="per game (default 100)")
    parser.add_argument("--seed", type=_arguments.seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument("--out", metavar="FOLDER", help="keep the episodes in this folder and go on from them")
    parser.add_argument(
        "--processes", type=_arguments.count, metavar="P", help="worker processes (default: one per core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.commands import _table
    from mmgames.commands.match import default_processes, figure

    result = suites.find(args.suite).evaluate(
        args.agent,
        args.episodes,
        args.seed,
        processes=args.processes or default_processes(args.episodes),
        out=args.out,
        progress=True,
    )
    if args.json:
        print(json.dumps(result, indent=2))
        return 0
    rows = []
    for row in result["rows"]:
        published = row["published"] or {}
        rows.append(
            (
                row["environment"],
                row["agent"],
                str(row["episodes"]),
                figure(row["raw"]),
                figure(row["standard_error"]),
                figure(row["normalised"]),
                figure(published.get("value")),
                figure(published.get("difference_in_standard_errors")),
            )
        )
    headings = ("environment", "agent", "values", "raw", "± s.e.", "normalised", "published", "difference / s.e.")
    print(f"{args.suite}, agent {args.agent}, {args.episodes} episodes, seed {args.seed}\n")
    print(_table.plain(headings, rows))
    print(f"\noverall normalised: {figure(result['overall_normalised'])}")
    return 0
