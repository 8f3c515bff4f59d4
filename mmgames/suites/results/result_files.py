"""Runs: the results of an evaluation as they lie in its folder, and how two of them compare."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.running.statistics import difference_interval, middle_of, resampled_means

RESAMPLES = 10_000


def write(folder: Path, result: Mapping[str, Any]) -> Path:
    """Keep a result, its rows with all their values, beside the episodes it was made from."""
    edition = f"-{result['edition']}" if "edition" in result else ""
    label = re.sub(r"[^\w.=,-]+", "_", f"{result['suite']}{edition}-{result['agent']}")[:150]
    path = folder / f"{label}.result.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        waiting = path.with_suffix(".tmp")
        waiting.write_text(json.dumps(result, indent=1, ensure_ascii=True), "utf-8")
        os.replace(waiting, path)  # never half a file
    except OSError as error:
        raise MmgamesError(f"The result cannot be kept in {path}: {error.strerror}.") from error
    return path


def note_readings(
    results: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]], folder: str | os.PathLike[str] | None
) -> None:
    """Note in each row what the same replies score in the other reading; also in a folder's files, if there is one."""
    for result, other in zip(results, others, strict=True):
        kept = [stored for stored in read(folder) if stored["agent"] == result["agent"]] if folder else []
        scores = {_key(row): row["raw"] for row in other["rows"]}
        ours, theirs = result.get("reading", "paragraph"), other.get("reading", "paragraph")
        for row in [row for one in (result, *kept) for row in one["rows"]]:
            row["readings"] = {ours: row["raw"], theirs: scores[_key(row)]}
        for stored in kept:
            write(Path(folder or ""), stored)


def read(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The results in a folder of an evaluation, or in one file."""
    path = Path(path)
    files = sorted(path.glob("*.result.json")) if path.is_dir() else [path]
    if not files:
        raise MmgamesError(f"{path} holds no results; name the folder that `mmgames eval … --out` wrote.")
    results = []
    for file in files:
        try:
            result = json.loads(file.read_text("utf-8"))
            if not isinstance(result, dict) or not {"suite", "agent", "rows", "seed"} <= set(result):
                raise ValueError("it is no result of an evaluation")
        except (OSError, ValueError) as error:
            raise MmgamesError(f"{file} cannot be read as a result: {error}.") from error
        results.append(result)
    return results


def unplayed(folder: str | os.PathLike[str], agent: str | None = None) -> list[dict[str, Any]]:
    """What could not be played in the runs of a folder, or in that of an agent; one that was stopped says nothing."""
    results = read(folder) if list(Path(folder).glob("*.result.json")) else []
    return [one for result in results if agent in (None, result["agent"]) for one in result.get("unplayed", ())]


def compare(first: Mapping[str, Any], second: Mapping[str, Any], seed: int = 0) -> list[dict[str, Any]]:
    """How much higher the second result is than the first, row by row, and the normalised mean over all rows.

    Intervals are bootstrapped. Where both have the same number of values of the same seed and none is missing, the
    episodes are paired: both agents had the same deals.
    """
    if first["suite"] != second["suite"]:
        raise MmgamesError(f"Results of {first['suite']} and {second['suite']} cannot be compared.")
    if first.get("edition", 1) != second.get("edition", 1):
        raise MmgamesError(
            f"Results of two editions of {first['suite']} cannot be compared: they are scaled otherwise."
        )
    rng = np.random.default_rng(seed)
    others = {_key(row): row for row in second["rows"]}
    rows, scaled = [], []
    for row in first["rows"]:
        other = others.get(_key(row))
        if other is None:
            continue
        mine, theirs = (np.array(found.get("values", []), float) for found in (row, other))
        whole = not (row["missing"] or other["missing"])
        alike = all(first.get(name) == second.get(name) for name in ("seed", "sealed")) and row.get(
            "released"
        ) == other.get("released")
        paired = alike and len(mine) == len(theirs) and whole
        if row["raw"] is None or other["raw"] is None or not len(mine) or not len(theirs):
            drawn = None
        else:
            drawn = _differences(row, other, paired, rng)
            low, high = row.get("normal", (0.0, 1.0))
            if not row.get("aside"):
                scaled.append(drawn * 100 / (high - low))
        rows.append(
            {
                "environment": row["environment"],
                "variant": row.get("variant", ""),
                "measure": row["measure"],
                "first": row["raw"],
                "second": other["raw"],
                "difference": None if drawn is None else other["raw"] - row["raw"],
                "interval": None if drawn is None else _interval(drawn, row, other),
                "paired": paired,
                "values": [len(mine), len(theirs)],
            }
        )
        if drawn is not None and all("without_luck" in found for found in (row, other)):
            rows.append(_without_luck(rows[-1], row, other, rng))
    if not rows:
        raise MmgamesError("The two results have no environment in common.")
    counted = [sum(not row.get("aside") for row in result["rows"]) for result in (first, second)]
    complete = [len(scaled)] * 2 == counted
    mean = np.mean(scaled, axis=0) if complete else None
    one, two = first.get("overall_normalised"), second.get("overall_normalised")
    rows.append(
        {
            "environment": "overall, normalised",
            "over": [result.get("over", {}).get("overall_normalised") for result in (first, second)],
            "variant": "",
            "measure": "",
            "first": one,
            "second": two,
            "difference": None if mean is None or one is None or two is None else two - one,
            "interval": None if mean is None else middle_of(mean),
            "paired": all(row["paired"] for row in rows),
            "values": [len(first["rows"]), len(second["rows"])],
        }
    )
    return rows


def _without_luck(
    plain: Mapping[str, Any], one: Mapping[str, Any], two: Mapping[str, Any], rng: np.random.Generator
) -> dict[str, Any]:
    """The same comparison of scores from which luck is taken out."""
    first, second = (found["without_luck"]["mean"] for found in (one, two))
    mine, theirs = ({**found, "values": found["values_without_luck"]} for found in (one, two))
    drawn = _differences(mine, theirs, plain["paired"], rng)
    variant = f"{plain['variant']} without luck".strip()
    figures = {"first": first, "second": second, "difference": second - first, "interval": middle_of(drawn)}
    return {**plain, "variant": variant, **figures}


def _key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["environment"], row.get("variant", ""), row["measure"]


def _differences(one: Mapping[str, Any], two: Mapping[str, Any], paired: bool, rng: np.random.Generator) -> np.ndarray:
    """Differences of the means of resampled values."""
    first, second = (np.array(row["values"], float) for row in (one, two))
    if paired:
        return resampled_means(second - first, rng, RESAMPLES, one.get("clusters"))
    return resampled_means(second, rng, RESAMPLES, two.get("clusters")) - resampled_means(
        first, rng, RESAMPLES, one.get("clusters")
    )


def _interval(drawn: np.ndarray, one: Mapping[str, Any], two: Mapping[str, Any]) -> list[float]:
    """What resampling says; where all values are alike it says nothing, and the rows' own intervals do."""
    spread = any(np.ptp(row["values"]) > 0 for row in (one, two))
    if spread or not (one.get("interval") and two.get("interval")):
        return middle_of(drawn)
    return difference_interval(*({"mean": row["raw"], "interval": row["interval"]} for row in (one, two)))


def shown(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The cells of a table of a comparison."""
    from mmgames.suites.pages.tables import figure

    cells = []
    for row in rows:
        between = "–" if row["interval"] is None else f"{row['interval'][0]:.2f} to {row['interval'][1]:.2f}"
        name = " ".join(filter(None, (row["environment"].partition("/")[2] or row["environment"], row["variant"])))
        if any(found and found["environments"] < found["of"] for found in row.get("over", ())):
            both = [f"{found['environments']} of {found['of']}" if found else "?" for found in row["over"]]
            name += f" (over {' and '.join(dict.fromkeys(both))} environments)"
        how = "paired" if row["paired"] else "not paired"
        cells.append([name, figure(row["first"]), figure(row["second"]), figure(row["difference"]), between, how])
    return cells
