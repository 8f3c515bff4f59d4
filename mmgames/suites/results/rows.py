"""A result of a suite: its rows with means and errors, its behaviour counts, and a header that says what made it."""

import hashlib
import importlib.metadata
import platform
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike, as_agent
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import description, given_names
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.running.statistics import cluster_numbers, mean_and_error, middle_of, pooled
from mmgames.running.variates import adjusted
from mmgames.suites.entries import Players, Run, SuiteEntry, players_name
from mmgames.suites.pages.tables import figure
from mmgames.suites.results import unplayed
from mmgames.version import __version__


def make_row(run: Run, agent: Players, values: np.ndarray) -> dict[str, Any]:
    entry, counts = run.entry, run.counts
    # Who breaks off when things go badly is not measured by the rest.
    kept = values if not counts.broken else values[:0]
    clusters = cluster_numbers(counts.clusters) if len(counts.clusters) == len(values) else []
    clusters = clusters if len(set(clusters)) < len(clusters) else []
    result = measured(kept, entry, clusters, counts.resampled)
    mean, error = result["mean"], result["standard_error"]
    row: dict[str, Any] = {
        "environment": entry.id,
        **({"variant": entry.variant} if entry.variant else {}),
        "measure": entry.measure,
        "agent": players_name(run.agent),
        "episodes": len(values),
        "raw": mean,
        "standard_error": error,
        "interval": result["interval"],
        **_normalised(entry, result),
        "published": None,
        "illegal": {
            "policy": counts.policy or run.on_illegal,
            "replies": counts.replies,
            "illegal": counts.illegal,
            "rate": counts.illegal / counts.replies if counts.replies else None,
            "drawn": counts.drawn,
            **({"asked_again": counts.again} if counts.again else {}),
            **({"kinds": dict(counts.kinds.most_common())} if counts.kinds else {}),
        },
        "failed": counts.failed,
        "first_failure": counts.first_failure,
        "failed_before": counts.failed_before,
        "missing": counts.missing,
        "broken": counts.broken,
        "values": values.tolist(),
        **({"clusters": clusters} if clusters else {}),
        **({"deals": counts.deals, "lost": counts.lost} if len(counts.deals) == len(values) else {}),
        "bounds": list(entry.bounds(kept)),
        "normal": list(entry.normal),
        **({"people": {"participants": len(counts.people), "given_up": counts.given_up}} if counts.people else {}),
        **run.details,
    }
    worst = 0.0 if entry.worst is None and entry.whole is not None else entry.worst
    if worst is not None and any(counts.with_drawn) and len(counts.with_drawn) == len(kept):
        charged = measured(np.where(counts.with_drawn, worst, kept), entry, clusters)
        row["charged"] = {**charged, **_normalised(entry, charged), "values": sum(counts.with_drawn)}
    if (left := _without_luck(kept, counts.luck)) is not None:
        row["without_luck"] = {**(found := mean_and_error(left)), **_normalised(entry, found)}
        row["values_without_luck"] = left.tolist()
    for base in ("chance", "floor"):
        own, best = run.details.get(base), entry.normal[1]
        if own and (own["mean"] or base == "floor") and own["mean"] != best and mean is not None:
            row[f"above_{base}"] = share_of(result, own["mean"], best)
    figure = entry.published.get(agent) if isinstance(agent, str) else None
    if figure is not None and mean is not None:
        both = np.hypot(error or 0.0, figure.standard_error or 0.0)
        row["published"] = {
            "value": figure.value,
            "standard_error": figure.standard_error,
            "note": figure.note,
            "difference": mean - figure.value,
            "difference_in_standard_errors": float((mean - figure.value) / both) if both else None,
        }
    return row


def _without_luck(values: np.ndarray, parts: Sequence[np.ndarray]) -> np.ndarray | None:
    """Values from which luck is taken out, that of each part by itself; None where none is known, or too few are."""
    if not any(part.shape[1] for part in parts) or sum(map(len, parts)) != len(values):
        return None
    luck, row, column = np.zeros((len(values), sum(part.shape[1] for part in parts))), 0, 0
    for part in parts:
        luck[row : row + len(part), column : column + part.shape[1]] = part
        row, column = row + len(part), column + part.shape[1]
    left = adjusted(values[:, None], luck, range(len(values)))
    return None if left is None else left[:, 0]


def measured(
    values: np.ndarray, entry: SuiteEntry, clusters: Sequence[int], resampled: np.ndarray | None = None
) -> dict[str, Any]:
    """Mean, standard error and interval of a row; of a value that was found once, as far as resampling says."""
    least, whole = entry.bounds(values)
    found = mean_and_error(values, clusters or None, whole, least)
    if entry.step is not None and len(values):
        steps = np.floor(values / entry.step) * entry.step
        parts = [
            mean_and_error(steps, clusters or None, whole, least),
            mean_and_error(values - steps, clusters or None, entry.step),
        ]
        found["interval"] = [len(parts) * end for end in pooled(parts)["interval"]]  # of their sum, not their mean
    if resampled is None or not len(values):
        return found
    if not len(resampled):
        return {**found, "interval": [found["mean"]] * 2}  # it is exact
    low, high = middle_of(resampled)
    between = [min(low, found["mean"]), max(high, found["mean"])]  # a best answer gains from every resampling
    return {**found, "standard_error": float(resampled.std(ddof=1)), "interval": between}


def _normalised(entry: SuiteEntry, result: Mapping[str, Any]) -> dict[str, float | None]:
    low, high = entry.normal
    scale = 100 / (high - low)
    mean, error = result["mean"], result["standard_error"]
    return {
        "normalised": None if mean is None else (mean - low) * scale,
        "normalised_standard_error": None if error is None else error * abs(scale),
    }


def share_of(result: Mapping[str, Any], base: float, best: float) -> dict[str, Any]:
    """How much was got of what lies between two values, such as chance or blind play and the best, in per cent."""
    left = (best - base) / 100
    error, between = result["standard_error"], result["interval"]
    return {
        "mean": (result["mean"] - base) / left,
        "standard_error": None if error is None else error / abs(left),
        "interval": None if between is None else sorted((end - base) / left for end in between),
    }


def overall_charged(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """The normalised mean over rows with illegal play charged; None where none has any, or one has no score."""
    scores = [row.get("charged", row)["normalised"] for row in rows]
    if None in scores or not any("charged" in row for row in rows):
        return None
    return float(np.mean(scores))


def behaviour_shares(result: dict[str, Any]) -> dict[str, float]:
    """Each axis as its share of what happens in its environment: the lines of a radar plot."""
    shares = {}
    for axes in result["behaviour"].values():
        whole = sum(axes.values())
        shares.update({axis: count / whole if whole else 0.0 for axis, count in axes.items()})
    return shares


def overall_figure(result: Mapping[str, Any]) -> str:
    """The overall score, or why there is none; one that is not over all says so."""
    if any(row["normalised"] is None for row in result["rows"]):
        return f"–{missing_scores(result)}"
    charged = result.get("overall_charged")
    told = "" if charged is None else f" ({figure(charged, 1)} with illegal play charged)"
    return figure(result["overall_normalised"], 1) + told + unplayed.over(result) + missing_scores(result)


def missing_scores(result: Mapping[str, Any]) -> str:
    """` (1 of 8 rows have no score)`, or else ` (3 values are missing)`; nothing where nothing is missing."""
    without = sum(row["normalised"] is None for row in result["rows"])
    if without:
        return f" ({without} of {len(result['rows'])} rows have no score)"
    missing = sum(row["missing"] for row in result["rows"])
    return f" ({missing} values are missing)" if missing else ""


def header(
    agent: Players,
    entries: Sequence[SuiteEntry],
    seed: int,
    first_prompts: Callable[[SuiteEntry, Mapping[str, Any], int], list[str]],
    seen: Mapping[str, Any],
) -> dict[str, Any]:
    """What made the numbers, beside agent, seed, episodes and the price of illegal replies.

    `prompts`, for agents that read them, has a hash of each entry's first prompts: other words, another hash.
    """
    players = agent if isinstance(agent, tuple) else (agent,)
    said = [_says(one) for one in players]
    readers = [one for one, _ in said if one is not None and one.can_answer]
    prompts = {}
    for entry in entries if readers else ():
        texts = "\0".join(first_prompts(entry, {**readers[0].style, **seen}, seed))
        hashed = hashlib.sha256(texts.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        prompts[" ".join(filter(None, (entry.id, entry.variant)))] = hashed
    names = ("gymnasium", "numpy", "torch", "transformers")
    packages = {name: version for name in names if (version := _installed(name))}
    return {
        "versions": {"mmgames": __version__, "python": platform.python_version(), **packages},
        "agents": [words for _, words in said],
        **given_names(players),
        "options": {entry.id: dict(entry.options) for entry in entries if entry.options},
        **({"prompts": prompts} if prompts else {}),
    }


def _says(agent: str | AgentLike) -> tuple[Agent | None, Any]:
    """An agent as an object, where its name alone makes one, and what it says of itself, if it does."""
    if isinstance(agent, str):
        try:
            found = find_agent(agent, next(iter(registry.specs.values())))
        except MmgamesError:
            return None, None  # known to some of the games only; these say nothing of themselves
        if not found.describes_itself and not found.can_answer:
            return None, None
        return found, description(found)
    return as_agent(agent), description(agent)


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
