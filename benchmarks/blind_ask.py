"""How far somebody gets at Ask who does not look at the boards: `python -m benchmarks.blind_ask --questions 20000`.

For every game and both ways to ask it prints what chance gives and what a guesser gets that was fitted on other
questions; in balanced mode the two must be within three points of each other.
"""

import argparse
import json
import time

import mmgames  # noqa: F401 - registers the tasks
from mmgames import tasks
from mmgames.running.processes import run_jobs
from mmgames.suites import blind

MOST = 3.0
PAPER = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")


def one(task: str, balanced: bool, questions: int, fitted: int, seed: int) -> dict:
    begun = time.process_time()
    found = blind.measure(task, questions, fitted, seed, balanced=balanced)
    return {"task": task, "balanced": balanced, **found._asdict(), "cpu_seconds": time.process_time() - begun}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--fitted", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="names of games; the paper's six if none is given")
    parser.add_argument("--balanced-only", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ids = [spec.id for spec in tasks.specs.values() if spec.kind == "ask" and _named(spec.id) in (args.only or PAPER)]
    modes = (True,) if args.balanced_only else (False, True)
    jobs = [(id, balanced, args.questions, args.fitted, args.seed) for id in ids for balanced in modes]
    rows = list(run_jobs(one, jobs, args.processes))
    rows.sort(key=lambda row: (row["balanced"], ids.index(row["task"])))
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        print(f"{'task':32}{'mode':>10}{'chance':>9}{'blind':>9}{'± s.e.':>8}{'CPU s':>8}")
        for row in rows:
            mode = "balanced" if row["balanced"] else "paper"
            print(f"{row['task']:32}{mode:>10}{row['chance']:9.2f}{row['blind']:9.2f}{row['error']:8.2f}"
                  f"{row['cpu_seconds']:8.0f}")  # fmt: skip
    return int(any(row["balanced"] and row["blind"] - row["chance"] > MOST for row in rows))


def _named(id: str) -> str:
    return id.partition("/")[2].partition("-")[0]


if __name__ == "__main__":
    raise SystemExit(main())
