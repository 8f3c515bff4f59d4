"""Runs: the results of an evaluation as they lie in its folder."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError


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
        scores = {row_key(row): row["raw"] for row in other["rows"]}
        ours, theirs = result.get("reading", "paragraph"), other.get("reading", "paragraph")
        for row in [row for one in (result, *kept) for row in one["rows"]]:
            row["readings"] = {ours: row["raw"], theirs: scores[row_key(row)]}
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


def check_suite(folder: str | os.PathLike[str] | None, suite: str) -> None:
    """A sentence if a folder holds results of another suite: reports and comparisons are about one."""
    held = (
        {stored["suite"] for stored in read(folder)} if folder and list(Path(folder).glob("*.result.json")) else set()
    )
    if others := held - {suite}:
        raise MmgamesError(f"{folder} holds results of {', '.join(sorted(others))}; give {suite} a folder of its own.")


def unplayed(folder: str | os.PathLike[str], agent: str | None = None) -> list[dict[str, Any]]:
    """What could not be played in the runs of a folder, or in that of an agent; one that was stopped says nothing."""
    results = read(folder) if list(Path(folder).glob("*.result.json")) else []
    return [one for result in results if agent in (None, result["agent"]) for one in result.get("unplayed", ())]


def row_key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """What tells a row from the others of its result."""
    return row["environment"], row.get("variant", ""), row["measure"]
