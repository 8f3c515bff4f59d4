"""Build a suite's data set in a folder: parquet files with the pictures inside, and JSON lines.

  mmgames dataset vs-bench vs-bench-data
  mmgames dataset vs-bench small --rows 40 --games CoinDilemma KuhnPoker
  mmgames dataset lvlm-playground boards --n 2000
  mmgames dataset lvlm-playground ladder --n 200 --games Gomoku Chess --bands
  mmgames dataset lvlm-playground examples --n 200 --games Reversi --set shots=2

The same command goes on where it was stopped. At the end, and whenever it is called on a finished folder, it prints how
many rows there are. For vs-bench it adds what a predictor scores that names any legal action with equal probability:
how often it hits the very action, and how often one that comes to the same.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os

from mmgames.commands import _arguments
from mmgames.core.errors import MmgamesError

SUMMARY = "build the data set of a suite"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="whose data, such as vs-bench")
    parser.add_argument("out", metavar="OUT", help="the folder; new, empty, or one that this command began")
    parser.add_argument("--seed", type=_arguments.seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument(
        "--rows",
        "--n",
        type=_arguments.count,
        metavar="N",
        help="rows per game or task (default: 400, 2000 for boards)",
    )
    parser.add_argument("--games", nargs="+", metavar="NAME", help="only these games (default: all)")
    _arguments.add_settings(parser, "of lvlm-playground: an option of the tasks (rules, band, shots)")
    parser.add_argument("--bands", action="store_true", help="of lvlm-playground: a table for each band of positions")
    parser.add_argument(
        "--size", type=_arguments.count, default=512, metavar="N", help="longest side of the pictures (default 512)"
    )
    parser.add_argument(
        "--processes", type=_arguments.count, metavar="P", help="worker processes (default: one per core)"
    )
    parser.add_argument("--json", action="store_true", help="print the report as one JSON document")


def run(args: argparse.Namespace) -> int:
    from mmgames import datasets

    made = datasets.find(args.suite)
    options = _arguments.settings(args, "out", "seed", "rows", "games", "size", "bands", "processes", "progress")
    options |= {"bands": True} if args.bands else {}
    takes_any = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(made.build).parameters.values())
    if options and not takes_any:
        raise MmgamesError(f"The data set {args.suite} has no bands and no options to be set.")
    report = made.build(
        args.out,
        seed=args.seed,
        rows=args.rows or made.ROWS,
        games=args.games,
        size=args.size,
        processes=args.processes or os.cpu_count() or 1,
        progress=True,
        **options,
    )
    print(
        json.dumps(report, indent=2, ensure_ascii=False)
        if args.json
        else getattr(made, "table", table)(report, args.out)
    )
    return 0


def table(report: dict, out: str) -> str:
    from mmgames.core.table import plain

    rows = []
    for name, facts in report["games"].items():
        uniform = facts["uniform predictor"]
        figures = (f"{100 * uniform['raw']:.1f} %", f"{100 * uniform['equivalent']:.1f} %")
        rows.append((name, str(facts["rows"]), *figures, f"{report['seconds'][name]:.1f} s"))
    head = ("game", "rows", "uniform, exact", "uniform, same outcome", "time")
    return f"{out}, seed {report['seed']}\n\n{plain(head, rows, right=(1, 2, 3, 4))}"
