"""Write one self-contained HTML page about evaluations of a suite.

  mmgames eval vs-bench --agent random --episodes 20 --out results/a
  mmgames report results/a --out report.html

It has the paper's table with the published rows in grey, plots, and episodes turn by turn: picture, prompt, reply, move
and reward. A run is a folder that `mmgames eval … --out` wrote.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mmgames.text.command_line import count

SUMMARY = "write an HTML page about evaluations, with their episodes"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder of `mmgames eval … --out`")
    parser.add_argument("--out", metavar="FILE", default="report.html", help="the page (default report.html)")
    parser.add_argument(
        "--episodes", type=count, default=2, metavar="N", help="so many of each game are shown (default 2)"
    )


def run(args: argparse.Namespace) -> int:
    from mmgames.suites.pages import report
    from mmgames.suites.pages.plots import check_writable
    from mmgames.suites.results import result_files

    check_writable(args.out, "The page")
    results = [result for path in args.runs for result in result_files.read(path)]
    folders = [path if path.is_dir() else path.parent for path in map(Path, args.runs)]
    page = report.page(results, list(dict.fromkeys(folders)), args.episodes)
    Path(args.out).write_text(page, "utf-8")
    print(f"{args.out}: {len(results)} results, {len(page) / 1e6:.1f} MB")
    return 0
