"""Suites: named lists of environments, agents, measures and normalisers that reproduce a paper's table.

Every module of `papers` that declares `SUITE` is one, and so is what the entry-point group `mmgames.suites` names: such
a module, or the Suite in it. `Suite.name` is what the command line knows it by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmgames.core import discovery
from mmgames.errors import MmgamesError, unknown

if TYPE_CHECKING:
    from mmgames.suites.questions import Asker
    from mmgames.suites.suite import Suite

PAPERS = f"{__name__}.papers"


def suites() -> dict[str, Suite]:
    """The suites there are, by the name the command line knows them by."""
    known: dict[str, Suite] = {}
    for found in (*discovery.modules(PAPERS), *discovery.entry_points("suites")):
        with discovery.note_failure(found):
            thing = found.load()
            if found.where.startswith(f"{PAPERS}.") and not hasattr(thing, "SUITE"):
                continue  # what suites are made with
            suite = discovery.declared(thing, "SUITE")
            if suite.name in known:
                raise MmgamesError(f"there is another suite {suite.name!r}")
            known[suite.name] = suite
    return known


def find(name: str) -> Suite:
    known = suites()
    if name not in known:
        raise unknown("suite", name, "mmgames eval", known)
    return known[name]


def asker_of(task: str) -> type[Asker]:
    """What asks the questions of a task, by its id: as the suite does that has them, or as all do."""
    from mmgames.suites.questions import Asker

    asked = ((suite, entry) for suite in suites().values() for entry in suite.entries if entry.id == task)
    return next((found for suite, entry in asked if (found := suite.asker(entry)) is not None), Asker)
