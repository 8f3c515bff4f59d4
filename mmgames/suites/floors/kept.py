"""What is had without looking: the floors that `python -m benchmarks.floors` measured, and how far a score is above."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mmgames.suites.entries import SuiteEntry

FILE = Path(__file__).parent / "floors.json"
CLOSE = 25.0
"""Where blind play gets so much of what counts as 100, it is said beside the score."""


@cache
def floors() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def name_of(entry: SuiteEntry) -> str:
    return " ".join(filter(None, entry.key))


def floor_of(suite: str, entry: SuiteEntry, known: SuiteEntry | None) -> dict[str, Any] | None:
    """The floor of an entry; None where it was not measured, or the entry is played with other options."""
    found = floors().get(suite, {}).get(name_of(entry))
    if found is None or known is None or dict(entry.options) != dict(known.options):
        return None
    low, high = entry.normal
    told = {name: value for name, value in found.items() if name != "ways"}
    return {**told, "normalised": 100 * (found["mean"] - low) / (high - low)}
