"""Write a leaderboard of evaluations, with intervals and transcripts."""

import argparse
from pathlib import Path


def run(args: argparse.Namespace) -> int:
    import sys

    from mmgames.errors import MmgamesError
    from mmgames.suites.pages import leaderboard
    from mmgames.suites.results.standings import gather

    standings, remarks = gather(map(Path, args.runs))
    if not standings:
        raise MmgamesError(" ".join(["There is no result to show.", *remarks]))
    folder = Path(args.out)
    addresses, failed = leaderboard.write_episodes(standings, folder, args.episodes) if args.episodes else ({}, [])
    remarks += failed
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(leaderboard.page(standings, remarks, addresses), "utf-8")
    for line in remarks:
        print(f"Left out: {line}", file=sys.stderr)
    print(f"{folder / 'index.html'}: {len(standings)} results, {len(set(addresses.values()))} pages of transcripts")
    return 0
