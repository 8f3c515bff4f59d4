"""Write a leaderboard of evaluations: standings of every suite, with intervals and transcripts.

  mmgames eval vs-bench --agent random --episodes 20 --out results/a
  mmgames eval comma --agent oracle --episodes 20 --out results/b
  mmgames leaderboard results/a results/b --out leaderboard

A run is a folder that `mmgames eval … --out` wrote, a folder of such folders, or one result file. The pages need no
server: open leaderboard/index.html. A file that cannot be shown is named, and the rest is there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mmgames.text.command_line import steps

SUMMARY = "write a leaderboard of evaluations, with intervals and transcripts"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder of `mmgames eval … --out`, or a result file")
    parser.add_argument("--out", metavar="FOLDER", default="leaderboard", help="the pages (default leaderboard)")
    parser.add_argument(
        "--episodes", type=steps, default=1, metavar="N", help="so many of each game are shown (default 1; 0: none)"
    )


def run(args: argparse.Namespace) -> int:
    import sys

    from mmgames.errors import MmgamesError
    from mmgames.suites.pages import leaderboard, transcripts
    from mmgames.suites.results.standings import gather

    standings, remarks = gather(map(Path, args.runs))
    if not standings:
        raise MmgamesError(" ".join(["There is no result to show.", *remarks]))
    folder = Path(args.out)
    addresses, failed = transcripts.write(standings, folder, args.episodes) if args.episodes else ({}, [])
    remarks += failed
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(leaderboard.page(standings, remarks, addresses), "utf-8")
    for line in remarks:
        print(f"Left out: {line}", file=sys.stderr)
    print(f"{folder / 'index.html'}: {len(standings)} results, {len(set(addresses.values()))} pages of transcripts")
    return 0
