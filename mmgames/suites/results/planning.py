"""How many episodes tell two agents of a suite apart, from how much episodes differ.

Scores are normalised: 0 to 100 of each entry. The overall score is the mean of all entries, each played as often as the
others, but at most as often as it has something new to tell.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.running.statistics import WIDE, mean_and_error
from mmgames.suites.entries import SuiteEntry
from mmgames.suites.results.comparison import same_seed
from mmgames.suites.suite import Suite

MOST = 10_000_000
"""Nobody plays more episodes of an entry."""


@dataclass(frozen=True)
class Spread:
    """How much the difference of two agents differs from episode to episode in an entry, in normalised points."""

    name: str
    deviation: float
    """Standard deviation of the difference in an episode; 0 where more episodes change nothing."""
    fixed: float = 0.0
    """Standard error of the difference that more episodes do not lower, as of a policy that is asked for once."""
    most: int | None = None
    """So many episodes can be played."""
    values: int = 0
    """Over so many episodes it was measured."""
    paired: bool = False
    aside: bool = False
    """It is not in the overall score."""

    def variance(self, episodes: int) -> float:
        return self.deviation**2 / min(episodes, self.most or episodes) + self.fixed**2


def spreads(
    results: Sequence[Mapping[str, Any]], entries: Sequence[SuiteEntry], paired: bool | None = None
) -> list[Spread]:
    """The spread of each entry, from the results of a pilot run.

    Two results whose episodes had the same deals say what pairing is worth; `paired` asks for that, or against it.
    From one the other agent is taken to differ as much, with deals of its own.
    """
    found = []
    for entry in entries:
        rows = [row for result in results[:2] for row in result["rows"] if row["raw"] is not None]
        there = [row for row in rows if (row["environment"], row.get("variant", "")) == entry.key]
        name = "/".join(filter(None, (entry.id.partition("/")[2], entry.variant)))
        if not there:
            raise MmgamesError(
                f"The pilot run has no score in {name}; leave that out with --skip, or play it there too."
            )
        deals = {0 if row["missing"] else len(row.get("values", ())) for row in there}
        alike = len(there) == 2 and same_seed(*results[:2]) and len(deals) == 1 and min(deals) > 1
        if paired and not alike:
            raise MmgamesError(f"The pilot run holds no two results with the same deals in {name}; leave --paired out.")
        found.append(_spread(name, entry, there, alike and paired is not False))
    return found


def at_least_as_published(found: Sequence[Spread], entries: Sequence[SuiteEntry], suite: Suite) -> list[Spread]:
    """Spreads of a pilot that says little about models, raised to those of published ones where they are known."""
    raised = []
    for one, entry in zip(found, entries, strict=True):
        known = suite.published_deviation(entry) if one.values > 1 else None
        raised.append(replace(one, deviation=max(one.deviation, math.sqrt(2) * (known or 0.0))))
    return raised


def _spread(name: str, entry: SuiteEntry, rows: Sequence[Mapping[str, Any]], paired: bool) -> Spread:
    aside = bool(rows[0].get("aside"))
    low, high = entry.normal
    scale = 100 / abs(high - low)
    if paired:
        values = np.subtract(rows[1]["values"], rows[0]["values"]).astype(float)
        measured = mean_and_error(values, rows[0].get("clusters"))
        if measured["standard_error"]:
            deviation = scale * measured["standard_error"] * math.sqrt(len(values))
            return Spread(name, deviation, 0.0, entry.most, len(values), True, aside)
    errors, counts = [scale * _error(row) for row in rows], [row["episodes"] for row in rows]
    both = errors * 2 if len(errors) == 1 else errors
    if min(counts) < 2:
        return Spread(name, 0.0, math.hypot(*both), entry.most, min(counts), aside=aside)
    many = counts * 2 if len(counts) == 1 else counts
    own = [error * math.sqrt(count) for error, count in zip(both, many, strict=True)]
    return Spread(name, math.hypot(*own), 0.0, entry.most, min(counts), aside=aside)


def _error(row: Mapping[str, Any]) -> float:
    """A row's standard error; where all values are alike, the one that its interval leaves room for."""
    if row["standard_error"]:
        return float(row["standard_error"])
    low, high = row["interval"] or (0.0, 0.0)
    return float(high - low) / (2 * WIDE)


def episodes_needed(found: Sequence[Spread], difference: float, power: float = 0.8, level: float = 0.05) -> int | None:
    """How many episodes of each entry show a difference of the mean of all of them, if it is there.

    None: no number does. `level` is how often a difference is seen where there is none, `power` how often this one
    is.
    """
    wanted = difference / (NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(power))

    def enough(episodes: int) -> bool:
        return math.sqrt(sum(one.variance(episodes) for one in found)) / len(found) <= wanted

    if not enough(MOST):
        return None
    low, high = 2, MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low
