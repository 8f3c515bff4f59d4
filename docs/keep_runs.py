"""Keeps runs for the site's leaderboard: `python docs/keep_runs.py results/comma results/viki …`.

Of each run its result files are kept, without the single values that only comparisons need, and the first episode of a
few files, spread evenly over the folder.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mmgames.suites.results import result_files
from mmgames.suites.suite import FOR_COMPARISONS

HERE = Path(__file__).resolve().parent
SINGLE_VALUES = (*(name for name in FOR_COMPARISONS if name != "normal"), "extra_steps", "distances")
FILES = 12
"""Of so many files of a run an episode is kept."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path, help="folders of `mmgames eval … --out`")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "runs", help="default: docs/results/runs")
    args = parser.parse_args(argv)
    for run in args.runs:
        print(f"{keep(run, args.out / run.name)} kept of {run}")
    return 0


def keep(run: Path, folder: Path) -> int:
    """Put what is kept of a run into a folder in place of what was kept before; how many files that is."""
    results = result_files.read(run)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json*"):
        old.unlink()
    for result in results:
        for row in result["rows"]:
            for name in SINGLE_VALUES:
                row.pop(name, None)
        result_files.write(folder, result)
    files = sorted(path for path in run.glob("*.jsonl") if not path.name.endswith(".calls.jsonl"))
    for path in files[:: max(1, -(-len(files) // FILES))]:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        first = [line for line in lines[1:] if json.loads(line).get("episode", json.loads(line).get("number")) == 0]
        (folder / path.name).write_text("".join([lines[0], *first[-1:]]), "utf-8")
    return len(list(folder.iterdir()))


if __name__ == "__main__":
    sys.exit(main())
