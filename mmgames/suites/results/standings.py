"""Standings: results of many evaluations as the lines of a leaderboard. What cannot be read is told and left out."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.running import seals
from mmgames.running.statistics import pooled
from mmgames.suites import find
from mmgames.suites.pages.tables import figure, percent, row_name, score_of, with_error
from mmgames.suites.results import result_files, unplayed
from mmgames.suites.suite import Suite
from mmgames.text.replies import READINGS
from mmgames.text.tables import one_line

SEEN = {"rgb+text": "picture and words", "text": "words alone", "rgb": "picture alone"}
POSITION = "the position itself"
"""What an agent sees that reads no prompt: a search, a heuristic, a network."""


@dataclass(frozen=True)
class Mean:
    """The normalised mean of a result over the rows that belong together, and over how many of how many it is."""

    score: float | None
    interval: tuple[float, float] | None
    rows: int
    of: int

    @property
    def whole(self) -> bool:
        return self.score is not None and self.rows == self.of


@dataclass(frozen=True)
class Standing:
    """One result file: who was measured, how, and the means that it is ranked by."""

    file: Path
    result: Mapping[str, Any]
    suite: Suite
    seen: str
    readings: tuple[str, ...]  # in which this result is true: one, or both where nothing is read
    settings: str
    means: Mapping[str, Mean]
    figures: Mapping[str, str]  # of each row its score as it was measured

    @property
    def agent(self) -> str:
        return str(self.result["agent"])


def gather(paths: Iterable[Path]) -> tuple[list[Standing], list[str]]:
    """The standings in these files and folders, at any depth, and a sentence for each file that is none."""
    found: dict[Path, Standing] = {}
    told: list[str] = []
    for path in paths:
        files = sorted(path.rglob("*.result.json")) if path.is_dir() else [path]
        if not files:
            told.append(f"{path} holds no results; name a folder that `mmgames eval … --out` wrote.")
        for file in files:
            try:
                found.setdefault(file.resolve(), read(file))
            except MmgamesError as error:
                told.append(one_line(str(error)))
    return list(found.values()), list(dict.fromkeys(told))


def read(file: Path) -> Standing:
    """The standing in a file; one that another program wrote gets a sentence."""
    (result,) = result_files.read(file)
    try:
        suite = find(str(result["suite"])).that_made(result)
        settings, means, figures = _settings(result, suite), _means(result, suite), _figures(result)
        return Standing(file, result, suite, seen_by(result), _readings(result), settings, means, figures)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        why = str(error) if isinstance(error, MmgamesError) else "its rows are not those of a result."
        raise MmgamesError(f"{file} cannot be shown: {why}") from error


def seen_by(result: Mapping[str, Any]) -> str:
    """What the measured agent was shown, in words."""
    made = result.get("header", {})
    if "prompts" not in made:
        return POSITION
    said = [one["observe"] for one in made["agents"] if isinstance(one, Mapping) and "observe" in one]
    modes = sorted(set(re.findall("rgb|text", str(said) if said else "rgb, text")))
    return SEEN["+".join(modes)]


def _readings(result: Mapping[str, Any]) -> tuple[str, ...]:
    """Where nobody replies in words, both readings give the same."""
    if "prompts" not in result.get("header", {}):
        return READINGS
    reading = result.get("reading", READINGS[0])
    if reading not in READINGS:
        raise ValueError(reading)
    return (reading,)


def _settings(result: Mapping[str, Any], suite: Suite) -> str:
    """Seed, options that the suite does not set itself, and the version that made it."""
    made = result.get("header", {})
    given: dict[str, None] = {}
    for id, options in made.get("options", {}).items():
        own = [entry.options for entry in suite.every if entry.id == id]
        for name, value in options.items():
            if not any(name in one for one in own):
                given[f"{name}={value}"] = None
    version = made.get("versions", {}).get("mmgames", "of an unknown version")
    return ", ".join([f"seed {result['seed']}{seals.heading(result)}", *given, f"mmgames {version}"])


def _means(result: Mapping[str, Any], suite: Suite) -> dict[str, Mean]:
    """Each mean of the suite that this result has rows of. Every row weighs the same."""
    names = {entry.key: suite.mean_of(entry) for entry in suite.every}
    rows: dict[str, list[Mapping[str, Any]]] = {name: [] for name in names.values() if name}
    for row in result["rows"]:
        key = unplayed.key(row)
        if key not in names:
            raise MmgamesError(f"the suite {suite.name} has no entry {' '.join(filter(None, key))}.")
        if names[key]:
            rows[names[key]].append(row)
    found = {}
    for name, own in rows.items():
        if own:
            mean = pooled([_normalised(row, result["episodes"]) for row in own])
            interval = None if mean["interval"] is None else (mean["interval"][0], mean["interval"][1])
            found[name] = Mean(mean["mean"], interval, len(own), sum(one == name for one in names.values()))
    return found


def _normalised(row: Mapping[str, Any], asked: int) -> dict[str, Any]:
    """A row's score with its interval in normalised points.

    Where there is one value though more episodes were asked for, it is exact, and its interval has no width.
    """
    score = row["normalised"]
    if score is None:
        return {"mean": None}
    low, high = row["normal"]
    exact = [row["raw"], row["raw"]] if row["episodes"] == 1 < asked else None
    ends = row.get("interval") or exact
    interval = ends and sorted((float(end) - low) * 100 / (high - low) for end in ends)
    if not all(map(math.isfinite, [float(score), *(interval or ())])) or len(interval or "to") != 2:
        raise ValueError(row)
    return {"mean": float(score), "standard_error": row["normalised_standard_error"], "interval": interval}


def _figures(result: Mapping[str, Any]) -> dict[str, str]:
    """Of each row its score, and what stands beside it."""
    found = {}
    for row in result["rows"]:
        beside = [f"{percent(row['illegal']['rate'])} illegal"] if row["illegal"]["illegal"] else []
        beside += [f"{row['missing']} missing"] if row["missing"] else []
        beside += [f"{name} {figure(row['readings'][name])}" for name in READINGS if "readings" in row]
        found[row_name(row)] = "; ".join([with_error(score_of(row)), *beside])
    return found


def ranked(standings: Sequence[Standing], name: str) -> list[Standing]:
    """Those that have this mean: the best first, and last those whose mean is over a part of its rows."""
    own = [one for one in standings if name in one.means]
    return sorted(own, key=lambda one: (not one.means[name].whole, -_score(one, name), one.agent))


def _score(standing: Standing, name: str) -> float:
    score = standing.means[name].score
    return -math.inf if score is None else score


def columns(standings: Sequence[Standing], name: str) -> list[str]:
    """The rows that a mean of these standings is over, in the suite's order."""
    (suite,) = {one.suite.title: one.suite for one in standings}.values()
    entries = [entry for entry in suite.every if suite.mean_of(entry) == name]
    return [row_name({"environment": entry.id, "variant": entry.variant}) for entry in entries]
