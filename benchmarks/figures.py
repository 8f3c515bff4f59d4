"""What the benchmarks of one world share: figures by name, each measured by one function, printed as they are found."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """One figure: `value` by the clock of the processor, which neighbours on the machine disturb less."""

    value: float
    unit: str
    how: str
    wall: float | None = None


def process_seconds(code: str, what: str) -> Figure:
    """How long a fresh process takes for `code`, which ends with printing its processor time; the best of three."""
    walls, processor = [], []
    for _ in range(3):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        walls.append(time.perf_counter() - began)
        processor.append(float(done.stdout.split()[-1]))
    return Figure(min(processor), "seconds", f"{what}; the best of three", min(walls))


def timed(work: Callable[[], int], rounds: int = 3) -> tuple[float, float]:
    """Things a second, by the processor's clock and by the wall's: the best of some rounds after a warm-up."""
    work()
    rates, walls = [], []
    for _ in range(rounds):
        cpu, wall = time.process_time(), time.perf_counter()
        done = work()
        rates.append(done / (time.process_time() - cpu))
        walls.append(done / (time.perf_counter() - wall))
    return max(rates), max(walls)


def rate(work: Callable[[], int], unit: str, how: str, rounds: int = 3) -> Figure:
    """The figure of how many things a second are done."""
    processor, wall = timed(work, rounds)
    return Figure(processor, unit, how, wall)


def rate_over(cases: Sequence[Any], work: Callable[..., Any], unit: str, how: str, rounds: int = 3) -> Figure:
    """The same of work that is done with each of some cases."""
    return rate(lambda: len([work(*case) for case in cases]), unit, how, rounds)


def main(figures: dict[str, Callable[[], Figure]], words: str | None) -> None:
    """Measure the figures that the command line names, or all of them; with --json as JSON lines."""
    asked = [word for word in sys.argv[1:] if word != "--json"]
    wrong = [word for word in asked if word not in figures]
    if wrong:
        sys.exit(f"{words}\nUnknown: {', '.join(wrong)}. Known: {', '.join(figures)}.")
    for name in asked or figures:
        figure = figures[name]()
        if "--json" in sys.argv:
            print(json.dumps({"figure": name, **figure._asdict()}), flush=True)
        else:
            wall = "" if figure.wall is None else f" (by the wall's clock {figure.wall:,.4g})"
            print(f"{name:10} {figure.value:>12,.4g} {figure.unit}{wall}: {figure.how}", flush=True)
