"""Means with errors that hold: values that hang together count as one, and shares have an interval at the edges too."""

import math
from collections.abc import Hashable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

COVERAGE = 0.95
TAIL = (1 - COVERAGE) / 2
WIDE = NormalDist().inv_cdf(1 - TAIL)
"""Half the width of an interval of that coverage, in standard errors, where these are known."""
NONE = 1e-12
"""A smaller error, of all that values could differ by, is one of rounding."""


def mean_and_error(
    values: np.ndarray, clusters: Sequence[Hashable] | None = None, whole: float | None = None, least: float = 0.0
) -> dict[str, Any]:
    """Mean and standard error; None where there are too few values to say.

    `clusters` says of each value what it hangs together with, such as the episode that several questions are about.
    Values of which it is known that they go from `least` to `whole`, such as shares, have an `interval` too.
    """
    if not len(values):
        return {"mean": None, "standard_error": None, **({} if whole is None else {"interval": None})}
    sums, sizes = in_clusters(values, clusters)
    count, mean = len(sums), float(values.mean())
    error = None
    if count > 1 and clusters is None:
        error = float(values.std(ddof=1) / math.sqrt(count))
    elif count > 1:
        error = math.sqrt(count / (count - 1) * float(((sums - sizes * mean) ** 2).sum())) / len(values)
    found: dict[str, Any] = {"mean": mean, "standard_error": error}
    if whole is None:
        return found
    counted = bool(np.isin(values, (least, whole)).all())
    trials = len(values) if counted and clusters is None else None
    most = len(values) if counted else math.inf
    return {**found, "interval": bounded_interval(mean, error, count, least, whole, trials, most)}


def in_clusters(values: np.ndarray, clusters: Sequence[Hashable] | None) -> tuple[np.ndarray, np.ndarray]:
    """The sum of each cluster's values, and how many it has; without clusters every value is one."""
    if clusters is None:
        return values, np.ones(len(values))
    places = cluster_numbers(clusters)
    return np.bincount(places, values), np.bincount(places).astype(float)


def cluster_numbers(clusters: Sequence[Hashable]) -> list[int]:
    """Clusters by number, in the order in which they are met."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]


def bounded_interval(
    mean: float,
    error: float | None,
    clusters: int,
    least: float,
    whole: float,
    trials: float | None = None,
    most: float = math.inf,
) -> list[float]:
    """The interval of a mean of values between `least` and `whole`, where `trials` are not given over as many right and
    wrong answers as would have the same error, and at most as many as there are (Korn and Graubard's way).

    Of right and wrong answers it is exact (Clopper and Pearson's). Few values know their error badly, so Student's t
    takes trials away. Where all are alike there is no error to go by: of a share of values that is so large that one
    should have been met, the worst and the best are possible. 4 of 4 is 40 to 100 %.
    """
    if not error or error < NONE * (whole - least):
        unmet = 1 - TAIL ** (1 / clusters)
        return [mean - unmet * (mean - least), mean + unmet * (whole - mean)]
    from scipy import special  # a second of its own, which nobody should wait for who asks for no interval

    share = (mean - least) / (whole - least)
    if trials is None:
        spread = error / (whole - least) * float(special.stdtrit(clusters - 1, 1 - TAIL)) / WIDE
        trials = min(most, share * (1 - share) / spread**2)
    right, wrong = share * trials, (1 - share) * trials
    low, high = special.betaincinv(right, wrong + 1, TAIL), special.betaincinv(right + 1, wrong, 1 - TAIL)
    return [least + (whole - least) * float(end) for end in (low, high)]


def student_interval(measured: Mapping[str, Any], count: int) -> list[float]:
    """The interval of a mean of values that may lie anywhere."""
    from scipy import special

    half = float(special.stdtrit(count - 1, 1 - TAIL)) * measured["standard_error"]
    return [measured["mean"] - half, measured["mean"] + half]


def middle_of(drawn: np.ndarray) -> list[float]:
    """The interval that holds the middle 95 % of what was drawn."""
    low, high = np.percentile(drawn, [100 * TAIL, 100 * (1 - TAIL)])
    return [float(low), float(high)]


def difference_interval(one: Mapping[str, Any], two: Mapping[str, Any]) -> list[float]:
    """The interval of the second mean less the first, from the intervals of both (Newcombe's way)."""
    difference = two["mean"] - one["mean"]
    below = math.hypot(two["mean"] - two["interval"][0], one["interval"][1] - one["mean"])
    above = math.hypot(two["interval"][1] - two["mean"], one["mean"] - one["interval"][0])
    return [difference - below, difference + above]


def pooled(found: Sequence[Mapping[str, Any]], weights: Sequence[float] | None = None) -> dict[str, Any]:
    """The mean of independent means, its error and its interval; None where one of them has none."""
    share = np.ones(len(found)) if weights is None else np.array(weights, float)
    share /= share.sum() if len(found) else 1.0
    known = {name: [one.get(name) for one in found] for name in ("mean", "standard_error", "interval")}
    there = {name: bool(found) and None not in values for name, values in known.items()}
    if not there["mean"]:
        return {"mean": None, "standard_error": None, "interval": None}
    mean = float(share @ np.array(known["mean"], float))
    error = None
    if there["standard_error"]:
        error = float(np.linalg.norm(share * np.array(known["standard_error"], float)))
    if not there["interval"]:
        return {"mean": mean, "standard_error": error, "interval": None}
    ends = np.abs(np.array(known["interval"], float).T - np.array(known["mean"], float))
    below, above = (float(np.linalg.norm(share * end)) for end in ends)
    return {"mean": mean, "standard_error": error, "interval": [mean - below, mean + above]}


def needs_interval(result: Mapping[str, Any]) -> bool:
    """Whether mean ± error would mislead: its 95 % differ from the interval by more than half a standard error."""
    if result.get("interval") is None or result["mean"] is None:
        return False
    error = result["standard_error"] or 0.0
    ends = zip(result["interval"], (-WIDE, WIDE), strict=True)
    return any(abs(end - result["mean"] - by * error) > error / 2 + 1e-9 for end, by in ends)
