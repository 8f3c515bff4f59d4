"""Suites over the data that their papers released, as users have it on disk: which entries there are, from where."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mmgames import tasks
from mmgames.errors import MmgamesError
from mmgames.suites.entries import SuiteEntry
from mmgames.tasks.env import TaskEnv
from mmgames.tasks.questions import TaskSpec

AnySuite = Any  # what a suite is stands above this module


def over_questions(
    suite: AnySuite, path: str | os.PathLike[str], entries: Iterable[SuiteEntry], holds: Callable[[Path, TaskSpec], Any]
) -> AnySuite:
    """The suite with those of these entries whose questions are in the released files, each asked once at most."""
    found: list[SuiteEntry] = []
    facts: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        if holds(Path(path), tasks.find(entry.id)):
            own: Any = TaskEnv(entry.id, actions="text", observe="text", released=path).source
            facts[entry.id] = own.file.facts()
            found.append(replace(entry, options={"released": str(path)}, most=own.rows, oracle_most=None, variant=""))
    return over_entries(suite, path, found, facts)


def over_entries(
    suite: AnySuite, path: str | os.PathLike[str], entries: Iterable[SuiteEntry], facts: Mapping[str, Any]
) -> AnySuite:
    """The suite with these entries, which are about released data; `facts` say of each environment where it lies."""
    entries = tuple(entries)
    if not entries:
        raise MmgamesError(f"{path} holds nothing that the suite {suite.name} knows as released data.")
    return replace(suite, entries=entries, released=facts)
