"""Compare results of evaluations, each with the first.

  mmgames eval vs-bench --agent random --episodes 100 --out results/a
  mmgames eval vs-bench --agent oracle --episodes 100 --out results/b
  mmgames compare results/a results/b

A run is a folder that `mmgames eval … --out` wrote, or one result file in it. The intervals hold 95 % of bootstrapped
differences; episodes are paired where both agents had the same deals and none is missing.
"""

from __future__ import annotations

import argparse
import json

from mmgames.text.command_line import seed

SUMMARY = "compare results of evaluations, with intervals"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder of `mmgames eval … --out`, or a result file")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="of the resampling (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError
    from mmgames.suites.results import result_files, settings
    from mmgames.text.tables import text_table

    results = [result for path in args.runs for result in result_files.read(path)]
    if len(results) < 2:
        raise MmgamesError("There is one result only; name another run to compare it with.")
    first, *others = results
    compared = [
        {"first": first["agent"], "second": other["agent"], "rows": result_files.compare(first, other, args.seed)}
        | {"settings": settings.differences(first, other)}
        for other in others
    ]
    if args.json:
        print(json.dumps(compared, indent=2))
        return 0
    for pair in compared:
        print(f"{pair['second']} compared with {pair['first']}\n")
        head = ("environment", pair["first"], pair["second"], "difference", "95 % of bootstraps", "episodes")
        print(text_table(head, result_files.shown(pair["rows"]), right=(1, 2, 3)) + "\n")
        print("".join(f"{line}\n\n" for line in pair["settings"]), end="")
    return 0
