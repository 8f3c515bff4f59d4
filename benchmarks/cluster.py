"""What a Ray cluster costs and gives: one worker and two on the same CPU-bound match, and the driver's share of it.

    python benchmarks/cluster.py                 # all of it, as a table
    python benchmarks/cluster.py --only match    # match, jobs, records, results, asking or start
    python benchmarks/cluster.py --json

Needs the extra `scale`. Wall-clock figures want a quiet machine; those of the driver are its own CPU time.
"""

import json
import math
import os
import pickle
import platform
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import mmgames
from mmgames.running import ray_cluster as clusters
from mmgames.running.driver_link import ask_driver
from mmgames.running.journal import Journal
from mmgames.running.processes import run_jobs
from mmgames.running.ray_cluster import Cluster
from mmgames.text.command_line import read_arguments

GAME, AGENTS = "mmgames/TicTacToe-v0", "mcts:simulations=3000"
EPISODES, ROUNDS = 400, 5
JOBS = 10_000


def record(size: int, number: int) -> dict[str, Any]:
    """A job that takes no time; what comes back is as long as an episode's record."""
    return {"episode": number, "actions": "x" * size}


def picture(number: int) -> bytes:
    """A job whose result is a megabyte and travels through the object store."""
    return os.urandom(1 << 20)


def asking(number: int) -> float:
    return ask_driver("next_turn", "benchmark", 1e9)


def spent(work: Callable[..., Any], *given: Any) -> tuple[float, float]:
    """Seconds on the clock, and of this process's CPU time."""
    begun, used = time.perf_counter(), time.process_time()
    work(*given)
    return time.perf_counter() - begun, time.process_time() - used


def measure_start(found: dict[str, Any]) -> None:
    seconds, _ = spent(Cluster(workers=3).connect)  # three CPUs of which two work, see measure_match
    found["Ray starts on this machine"] = (seconds, "s")
    two = Cluster(workers=2)
    seconds, _ = spent(list, run_jobs(int, [(1,), (2,)], two))
    found["two workers start, mmgames imported"] = (seconds, "s")
    two.close()


def measure_match(found: dict[str, Any]) -> None:
    """Both teams are there all the time and play in turn; the best round of each counts, as others use the machine."""
    local = mmgames.match(GAME, AGENTS, EPISODES, 1).episodes
    with Cluster(workers=1) as one, Cluster(workers=2) as two:
        teams = {"local, one process": 1, "Ray, one worker": one, "Ray, two workers": two}
        took = dict.fromkeys(teams, math.inf)
        for _ in range(1 + ROUNDS):  # in the first one workers start and kernels are loaded
            for name, team in teams.items():
                begun = time.perf_counter()
                assert mmgames.match(GAME, AGENTS, EPISODES, 1, processes=team).episodes == local
                took[name] = min(took[name], time.perf_counter() - begun)
    for name, seconds in took.items():
        found[f"{EPISODES} episodes, {name}"] = (seconds, "s")
    found["two workers against one"] = (took["Ray, one worker"] / took["Ray, two workers"], "times")


def measure_jobs(found: dict[str, Any]) -> None:
    with Cluster(workers=2) as two:
        list(run_jobs(partial(record, 1000), [(0,)] * 1000, two))
        longest = clusters.LONGEST_PORTION
        for portion, jobs in ((1, JOBS // 10), (longest, JOBS)):
            clusters.LONGEST_PORTION = portion
            wall, cpu = spent(list, run_jobs(partial(record, 1000), [(n,) for n in range(jobs)], two))
            name = "one at a time" if portion == 1 else "in portions"
            found[f"a job {name}"] = (wall / jobs * 1e6, "µs")
            found[f"a job {name}, driver's CPU"] = (cpu / jobs * 1e6, "µs")
        clusters.LONGEST_PORTION = longest


def measure_records(found: dict[str, Any]) -> None:
    from mmgames.running.matches import fields
    from mmgames.running.records import Records

    scripted = {"WirePuzzle": ["scripted_solver", "scripted_expert"]}
    for name in ("TicTacToe", "CoinDilemma", "Breakthrough", "WirePuzzle"):
        rows = mmgames.match(name, scripted.get(name, "random"), 20).episodes
        found[f"a record of {name}, pickled"] = (sum(len(pickle.dumps(row)) for row in rows) / len(rows), "bytes")
        with tempfile.TemporaryDirectory() as folder, Records(Path(folder) / "x.jsonl", {}, fields(2)) as kept:
            _, cpu = spent(lambda kept=kept, rows=rows: [kept.add(row) for _ in range(50) for row in rows])
            found[f"a record of {name}, written"] = (cpu / (50 * len(rows)) * 1e6, "µs")


def measure_results(found: dict[str, Any]) -> None:
    with Cluster(workers=2) as two:
        list(run_jobs(picture, [(0,), (1,)], two))
        wall, cpu = spent(lambda: [len(one) for one in run_jobs(picture, [(n,) for n in range(100)], two)])
        found["results of 1 MB, through the object store"] = (100 / wall, "MB/s")
        found["results of 1 MB, driver's CPU"] = (cpu / 100 * 1e3, "ms")


def measure_asking(found: dict[str, Any]) -> None:
    with Cluster(workers=2) as two, Journal(None, {}) as journal:
        for together in (2, 16):
            jobs = [(n,) for n in range(1000)]
            list(run_jobs(asking, jobs[:50], two, driver=journal, together=together))
            wall, cpu = spent(list, run_jobs(asking, jobs, two, driver=journal, together=together))
            name = f"a question to the driver and a job, {together} at a time"
            found[name] = (wall / 1000 * 1e3, "ms")
            found[f"{name}, driver's CPU"] = (cpu / 1000 * 1e3, "ms")


MEASURES = (measure_start, measure_match, measure_jobs, measure_records, measure_results, measure_asking)
PARTS = {one.__name__.removeprefix("measure_"): one for one in MEASURES}


def main() -> None:
    args = read_arguments(__doc__, __file__)
    found: dict[str, Any] = {}
    if args.only and "start" not in args.only:
        Cluster(workers=3).connect()
    for name in args.only or PARTS:
        PARTS[name](found)
    if args.json:
        machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
        print(json.dumps({**machine, "figures": found}, indent=2, ensure_ascii=False))
        return
    for name, (value, unit) in found.items():
        print(f"{name:60} {value:10.3g} {unit}")


if __name__ == "__main__":
    main()
