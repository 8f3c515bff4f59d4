"""Build a suite's data set in a folder: parquet files with the pictures inside, and JSON lines.

  mmgames dataset vs-bench vs-bench-data
  mmgames dataset vs-bench small --rows 40 --games CoinDilemma KuhnPoker
  mmgames dataset lvlm-playground boards --n 2000
  mmgames dataset lvlm-playground ladder --n 200 --games Gomoku Chess --bands
  mmgames dataset lvlm-playground examples --n 200 --games Reversi --set shots=2
  mmgames dataset vision-zero pairs --n 2000
  mmgames dataset minari coins/mixed-v0 --records coins.jsonl
  mmgames dataset vision-zero harder --n 2000 --pictures clevr:changes=1,attributes=colour

The same command goes on where it was stopped. At the end, and whenever it is called on a finished folder, it prints how
many rows there are. A game that needs an extra which is not installed is left out and named; the same command makes it
when the extra is there, and --strict refuses to begin without. A data set has arguments of its own:
`mmgames dataset vs-bench --help` shows those too.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence

from mmgames.commands import _arguments
from mmgames.text.command_line import seed

SUMMARY = "build the data set of a suite"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="whose data, such as vs-bench")
    parser.add_argument(
        "out", metavar="OUT", help="the folder: new, empty, or one that this command began; for minari, a name"
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument(
        "--strict", action="store_true", help="make nothing if a game needs an extra that is not installed"
    )
    _arguments.add_workers(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON document")


def more_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Those of the data set that is named."""
    from mmgames.datasets import datasets, find

    if group := _arguments.add_own(parser, words, datasets(), find):
        parser.set_defaults(own=[action.dest for action in group._group_actions])


def run(args: argparse.Namespace) -> int:
    from mmgames import datasets
    from mmgames.core.constructor_options import accepted_options
    from mmgames.running.processes import stdout_for_results

    made = datasets.find(args.suite)
    keywords = {name: getattr(args, name) for name in args.own}
    if "set" in keywords:
        keywords = {
            **keywords,
            **_arguments.settings(args, "out", "seed", "processes", "progress", "strict", *keywords),
        }
        del keywords["set"]
    if args.strict and "strict" in accepted_options(made.build):  # the others need no extra of a game
        keywords["strict"] = True
    processes = _arguments.workers(args, os.cpu_count() or 1)
    with stdout_for_results(processes):
        report = made.build(args.out, seed=args.seed, processes=processes, progress=True, **keywords)
    print(json.dumps(report, indent=2, ensure_ascii=False) if args.json else made.table(report, args.out))
    return 0
