"""Means with errors that hold: values that hang together count as one, and shares have an interval at the edges too."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

COVERAGE = 0.95
WIDE = NormalDist().inv_cdf((1 + COVERAGE) / 2)
"""Half the width of an interval of that coverage, in standard errors."""


def mean_and_error(
    values: np.ndarray, clusters: Sequence[Hashable] | None = None, whole: float | None = None, least: float = 0.0
) -> dict[str, Any]:
    """Mean and standard error; None where there are too few values to say.

    `clusters` says of each value what it hangs together with, such as the episode that several questions are about.
    Shares, which go from `least` to `whole`, have an `interval` too.
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
    return {**found, "interval": [least + end for end in share_interval(mean - least, error, count, whole - least)]}


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


def share_interval(mean: float, error: float | None, clusters: int, whole: float = 1.0) -> list[float]:
    """Wilson's interval of a share, over as many independent trials as would have the same error.

    For right and wrong answers that are independent these are the answers themselves. Where all are alike there is no
    error to go by, and each cluster counts as one trial: 4 of 4 is 51 to 100 %.
    """
    share = min(1.0, max(0.0, mean / whole))
    spread = (error or 0.0) / whole * math.sqrt((clusters - 1) / clusters)
    trials = share * (1 - share) / spread**2 if spread > 0 and 0 < share < 1 else float(clusters)
    pull = WIDE**2 / trials
    middle = (share + pull / 2) / (1 + pull)
    half = WIDE / (1 + pull) * math.sqrt(share * (1 - share) / trials + pull / (4 * trials))
    low, high = max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
    return [whole * low, whole * high]


def resampled_means(
    values: np.ndarray, rng: np.random.Generator, resamples: int, clusters: Sequence[Hashable] | None = None
) -> np.ndarray:
    """The bootstrap: means of values that are drawn again, cluster by cluster."""
    sums, sizes = in_clusters(values, clusters)
    picks = (rng.integers(len(sums), size=len(sums)) for _ in range(resamples))
    return np.array([sums[pick].sum() / sizes[pick].sum() for pick in picks])


def middle_of(drawn: np.ndarray) -> list[float]:
    """The interval that holds the middle 95 % of what was drawn."""
    tail = 100 * (1 - COVERAGE) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
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
    """Whether mean ± error would mislead: its 95 % differ from the interval by more than a standard error."""
    if result.get("interval") is None or result["mean"] is None:
        return False
    error = result["standard_error"] or 0.0
    ends = zip(result["interval"], (-WIDE, WIDE), strict=True)
    return any(abs(end - result["mean"] - by * error) > error + 1e-9 for end, by in ends)
