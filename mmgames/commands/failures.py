"""Name what went wrong in the episodes of evaluations, as far as states and words decide it.

  mmgames eval comma --agent chat:my-model --episodes 20 --out results/a
  mmgames failures results/a

False statements about the picture, ignored advice, repetition loops, confused roles, plans that end in an illegal move,
always the same move: how often, in how many episodes, and an example of each. No model is asked.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

SUMMARY = "name what went wrong in the episodes of evaluations"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder of `mmgames eval … --out`")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    from mmgames.suites import failures
    from mmgames.text.tables import one_line, text_table

    rows = [row for path in args.runs for row in failures.of_run(Path(path))]
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    lines = []
    for row in rows:
        who = f"{row['game'].partition('/')[2]} {' + '.join(dict.fromkeys(row['agents']))}"
        if not row.get("kinds"):
            lines.append([who, "none" if row.get("episodes") else "nobody replied in words", "", "", ""])
        for kind, count in row.get("kinds", {}).items():
            of = f"{count['episodes']} of {row['episodes']}"
            lines.append([who, kind, str(count["times"]), of, one_line(row["examples"][kind])[:80]])
        if row.get("unreadable"):
            lines.append([who, "not replayed, so not looked at", "", str(row["unreadable"]), ""])
    print(text_table(("episodes", "failure", "times", "in episodes", "the first"), lines, right=(2, 3)))
    return 0
