"""Compare results of evaluations, each with the first.

  mmgames eval vs-bench --agent random --episodes 100 --out results/a
  mmgames eval vs-bench --agent oracle --episodes 100 --out results/b
  mmgames compare results/a results/b

A run is a folder that `mmgames eval … --out` wrote, or one result file in it. Where both agents were dealt from the
same seed, differences are over the deals that both have played; intervals are of 95 %. What is missing is counted on
both sides, and no difference is called one that the missing values could turn.
"""

from __future__ import annotations

import argparse
import json

SUMMARY = "compare results of evaluations, with intervals"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder of `mmgames eval … --out`, or a result file")
    parser.add_argument("--complete", action="store_true", help="end with an error if a value is missing in a run")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError
    from mmgames.suites.pages.tables import check_complete
    from mmgames.suites.results import comparison, result_files, settings
    from mmgames.text.tables import text_table

    results = [result for path in args.runs for result in result_files.read(path)]
    if len(results) < 2:
        raise MmgamesError("There is one result only; name another run to compare it with.")
    if args.complete:
        check_complete(results)
    first, *others = results
    compared = [
        {"first": first["agent"], "second": other["agent"], "rows": comparison.compare(first, other)}
        | {"settings": settings.differences(first, other)}
        for other in others
    ]
    if args.json:
        print(json.dumps(compared, indent=2))
        return 0
    for pair in compared:
        print(f"{pair['second']} compared with {pair['first']}\n")
        cells = comparison.shown(pair["rows"])
        columns = 8 if any(line[-1] for line in cells) else 6
        head = ("environment", "first", "second", "difference", "95 % interval", "second is", "missing", "worst case")
        print(text_table(head[:columns], [line[:columns] for line in cells], right=(1, 2, 3)) + "\n")
        print("".join(f"{line}\n\n" for line in pair["settings"]), end="")
    return 0
