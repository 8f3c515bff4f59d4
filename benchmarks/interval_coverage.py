"""How often intervals of 95 % hold, entry by entry: `python -m benchmarks.interval_coverage --out FOLDER`.

Random players are measured, once and often (`--pool`). From these values as many are drawn as short runs have, episode
by episode where questions share one, and it is counted how often the interval of a row holds the mean of all. With
`--differences` it is counted how often `compare` tells random from random, each with episodes of its own.

It ends with 1 if an interval holds in less than 93 % of any entry's draws, or if with 50 or 500 episodes not 93 to 97 %
hold on average over the entries of all suites whose values vary. A few suites (`--only`) have too few entries for such
an average, exact intervals of rare answers among them: it is told and not judged.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mmgames import suites
from mmgames.running.processes import run_jobs
from mmgames.running.statistics import COVERAGE
from mmgames.suites.entries import SuiteEntry
from mmgames.suites.results import result_files
from mmgames.suites.results.comparison import ALIKE, compare
from mmgames.suites.results.rows import measured
from mmgames.text.command_line import read_arguments
from mmgames.text.tables import text_table

SUITES = ("vs-bench", "lvlm-playground", "comma", "vision-zero", "viki")
NUMBERS = (5, 10, 50, 500)


class Pool(NamedTuple):
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
        values, clusters = pool.drawn(number, rng)
        low, high = measured(values, pool.entry, clusters)["interval"]
        held += low - 1e-9 <= truth <= high + 1e-9
    return held / draws


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


def counted(pool: Pool, differences: bool, draws: int, seed: int) -> tuple[str, list[float], bool]:
    """An entry's name, its share for each number of episodes, and whether its values vary."""
    measure = told_apart if differences else covered
    name = "/".join(filter(None, (pool.suite, *pool.entry.key)))
    varied = bool(np.ptp(np.concatenate(pool.episodes)) > 0)
    return name, [measure(pool, number, draws, seed) for number in NUMBERS], varied


def main() -> int:
    args = read_arguments(__doc__, __file__)
    jobs = [
        (pool, args.differences, args.draws, args.seed) for pool in pools(args.out, args.pool, args.seed, args.only)
    ]
    told = sorted(run_jobs(counted, jobs, args.processes))
    shares, varied = (np.array([line[at] for line in told]) for at in (1, 2))
    least, most = shares.min(axis=0), shares.max(axis=0)
    lines = [(name, row) for name, row, _ in told]
    lines += [("mean", shares.mean(axis=0)), ("mean of entries that vary", shares[varied].mean(axis=0))]
    lines += [("worst", most if args.differences else least)]
    cells = [[name, *(f"{100 * share:.1f}" for share in row)] for name, row in lines]
    print(text_table(["per cent, by number of episodes", *map(str, NUMBERS)], cells, range(1, 1 + len(NUMBERS))))
    if args.differences:
        return int(bool((most > 1 - COVERAGE + 0.02).any()))
    middle = shares[varied][:, [NUMBERS.index(50), NUMBERS.index(500)]].mean(axis=0)
    if set(SUITES) - set(args.only or SUITES):
        print("The mean is of a part of the suites; only all of them together are judged by it.")
        middle = np.full(2, COVERAGE)
    return int(bool((least < 0.93).any() or (abs(middle - COVERAGE) > 0.02).any()))


if __name__ == "__main__":
    raise SystemExit(main())
