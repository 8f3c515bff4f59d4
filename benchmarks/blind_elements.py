"""How many elements somebody names who does not look: `python -m benchmarks.blind_elements --questions 20000`.

For every game it prints what chance gives and what a guesser gets that was fitted on other questions; the two must be
within four standard errors of each other.
"""

import argparse
import json
import time

import mmgames  # noqa: F401 - registers the tasks
from mmgames import tasks
from mmgames.running.processes import run_jobs
from mmgames.suites import blind_elements

MOST = 4.0  # standard errors


def one(task: str, questions: int, fitted: int, seed: int) -> dict:
    begun = time.process_time()
    found = blind_elements.measure(task, questions, fitted, seed)
    return {"task": task, **found._asdict(), "cpu_seconds": time.process_time() - begun}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--fitted", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="names of games; all if none is given")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    asked = [spec for spec in tasks.specs.values() if spec.kind == "recognise"]
    ids = [spec.id for spec in asked if not args.only or spec.name.partition("-")[0] in args.only]
    rows = list(run_jobs(one, [(id, args.questions, args.fitted, args.seed) for id in ids], args.processes))
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        heads = f"{'chance':>9}{'blind':>9}{'± s.e.':>8}{'all: chance':>13}{'blind':>8}{'± s.e.':>8}{'CPU s':>7}"
        print(f"{'task':36}{heads}")
        for row in rows:
            print(f"{row['task']:36}{row['chance']:9.2f}{row['blind']:9.2f}{row['error']:8.2f}{row['chance_all']:13.3f}"
                  f"{row['blind_all']:8.3f}{row['error_all']:8.3f}{row['cpu_seconds']:7.0f}")  # fmt: skip
    return int(any(row["blind"] - row["chance"] > MOST * row["error"] for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
