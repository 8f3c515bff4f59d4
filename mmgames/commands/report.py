"""Write an HTML page about evaluations, with their episodes."""

import argparse
from pathlib import Path


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
