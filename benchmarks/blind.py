"""How far somebody gets who does not look at pictures: `python -m benchmarks.blind ask|recognise --questions 20000`.

For every game it prints what chance gives and what a guesser gets that was fitted on other questions. At Ask, which is
asked both ways, the two must be within three points of each other in balanced mode; at Recognise within four standard
errors.
"""

import argparse
import json
import time

import mmgames  # noqa: F401 - registers the tasks
from mmgames import tasks
from mmgames.running.processes import run_jobs
from mmgames.suites.floors import blind, blind_elements
from mmgames.text.tables import text_table

PAPER = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")
FITTED = {"ask": 20_000, "recognise": 5_000}


def one(kind: str, task: str, balanced: bool, questions: int, fitted: int, seed: int) -> dict:
    begun = time.process_time()
    if kind == "ask":
        found = blind.measure(task, questions, fitted, seed, balanced=balanced)._asdict()
        ahead = found["blind"] - found["chance"] > 3.0 and balanced
    else:
        found = blind_elements.measure(task, questions, fitted, seed)._asdict()
        ahead = found["blind"] - found["chance"] > 4.0 * found["error"]
    mode = {"balanced": balanced} if kind == "ask" else {}
    return {"task": task, **mode, **found, "cpu_seconds": time.process_time() - begun, "ahead": bool(ahead)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=tuple(FITTED))
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--fitted", type=int, help="20000 at Ask, 5000 at Recognise if not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="names of games; if none is given the paper's six, or all")
    parser.add_argument("--balanced-only", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    games = args.only or (PAPER if args.kind == "ask" else ())
    asked = [spec for spec in tasks.specs.values() if spec.kind == args.kind]
    ids = [spec.id for spec in asked if not games or spec.name.partition("-")[0] in games]
    modes = (True,) if args.balanced_only or args.kind == "recognise" else (False, True)
    how = (args.questions, args.fitted or FITTED[args.kind], args.seed)
    rows = list(run_jobs(one, [(args.kind, id, mode, *how) for mode in modes for id in ids], args.processes))
    rows.sort(key=lambda row: (row.get("balanced", True), ids.index(row["task"])))
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        cells = [[f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows]
        print(text_table(list(rows[0]), cells, range(1, len(rows[0]))))
    return int(any(row["ahead"] for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
