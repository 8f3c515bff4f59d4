"""How often intervals of 95 % hold, entry by entry: `python -m benchmarks.interval_coverage --out FOLDER`.

Random players are measured, once and often (`--pool`). From these values as many are drawn as short runs have, episode
by episode where questions share one, and it is counted how often the interval of a row holds the mean of all. With
`--differences` it is counted how often `compare` tells random from random, each with episodes of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mmgames import suites
from mmgames.running.processes import run_jobs
from mmgames.running.statistics import COVERAGE
from mmgames.suites.entries import SuiteEntry
from mmgames.suites.results import result_files
from mmgames.suites.results.comparison import ALIKE, compare
from mmgames.suites.results.rows import measured
from mmgames.text.tables import text_table

SUITES = ("vs-bench", "lvlm-playground", "comma", "vision-zero", "viki")
NUMBERS = (5, 10, 50, 500)


@dataclass(frozen=True)
class Pool:
    """All values of an entry, by episode."""

    suite: str
    entry: SuiteEntry
    episodes: list[np.ndarray]

    def drawn(self, number: int, rng: np.random.Generator) -> tuple[np.ndarray, list[int]]:
        """About so many values, and which of them are of one episode."""
        count = max(1, round(number * len(self.episodes) / sum(map(len, self.episodes))))
        parts = [self.episodes[at] for at in rng.integers(len(self.episodes), size=count)]
        shared = any(len(part) > 1 for part in self.episodes)
        return np.concatenate(parts), [at for at, part in enumerate(parts) for _ in part] if shared else []


def pools(folder: str, number: int, seed: int, only: list[str]) -> Iterator[Pool]:
    for name in only or SUITES:
        suite = suites.find(name)
        suite.evaluate("random", number, seed, out=f"{folder}/{name}")  # goes on from what is there
        (result,) = result_files.read(f"{folder}/{name}")
        entries = {entry.key: entry for entry in suite.every}
        for row in result["rows"]:
            values = np.array(row["values"])
            if len(values) > 1:
                groups: dict[Any, list[float]] = {}
                for at, value in zip(row.get("clusters") or range(len(values)), values, strict=True):
                    groups.setdefault(at, []).append(value)
                key = row["environment"], row.get("variant", "")
                yield Pool(name, entries[key], [np.array(group) for group in groups.values()])


def covered(pool: Pool, number: int, draws: int, seed: int) -> float:
    rng, truth = np.random.default_rng((seed, number)), float(np.concatenate(pool.episodes).mean())
    held = 0
    for _ in range(draws):
        low, high = measured(*_with_entry(pool.drawn(number, rng), pool.entry))["interval"]
        held += low - 1e-9 <= truth <= high + 1e-9
    return held / draws


def _with_entry(drawn: tuple[np.ndarray, list[int]], entry: SuiteEntry) -> tuple[np.ndarray, SuiteEntry, list[int]]:
    return drawn[0], entry, drawn[1]


def told_apart(pool: Pool, number: int, draws: int, seed: int) -> float:
    """How often two runs of the same player are said to differ, with deals of their own."""
    rng, apart = np.random.default_rng((seed, number)), 0
    for _ in range(draws):
        results = []
        for side in (0, 1):
            values, clusters = pool.drawn(number, rng)
            found = measured(values, pool.entry, clusters)
            row = {"environment": pool.entry.id, "measure": "", "raw": found["mean"], "interval": found["interval"]}
            row |= {"values": values.tolist(), "missing": 0, "normal": pool.entry.normal}
            results.append({"suite": pool.suite, "seed": side, "rows": [row]})
        apart += compare(*results)[0]["verdict"] != ALIKE
    return apart / draws


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="the folder of the runs; what is there is not played again")
    parser.add_argument("--pool", type=int, default=1000, help="so many episodes of each entry (default 1000)")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], choices=SUITES)
    parser.add_argument("--differences", action="store_true", help="count differences between random and random")
    args = parser.parse_args()
    found = list(pools(args.out, args.pool, args.seed, args.only))
    jobs = [(pool, number, args.draws, args.seed) for pool in found for number in NUMBERS]
    measure = told_apart if args.differences else covered
    shares = np.array(list(run_jobs(measure, jobs, args.processes))).reshape(-1, len(NUMBERS))
    names = ["/".join(filter(None, (pool.suite, *pool.entry.key))) for pool in found]
    lines = [[name, *(f"{100 * share:.1f}" for share in row)] for name, row in zip(names, shares, strict=True)]
    varied = [bool(np.ptp(np.concatenate(pool.episodes)) > 0) for pool in found]
    for name, figures in (("mean", shares.mean(axis=0)), ("mean of entries that vary", shares[varied].mean(axis=0))):
        lines.append([name, *(f"{100 * share:.1f}" for share in figures)])
    least, most = shares.min(axis=0), shares.max(axis=0)
    lines.append(["worst", *(f"{100 * share:.1f}" for share in (most if args.differences else least))])
    print(text_table(["per cent, by number of episodes", *map(str, NUMBERS)], lines, range(1, 1 + len(NUMBERS))))
    if args.differences:
        return int(bool((most > 1 - COVERAGE + 0.02).any()))
    middle = shares[varied][:, [NUMBERS.index(50), NUMBERS.index(500)]].mean(axis=0)
    return int(bool((least < 0.93).any() or (abs(middle - COVERAGE) > 0.02).any()))


if __name__ == "__main__":
    raise SystemExit(main())
