"""Data sets that `mmgames dataset` builds.

Every module here that has `build` is one (`vs_bench.py` is `vs-bench`), and so is a module that the entry-point group
`mmgames.datasets` names (`my-data = "my_package.my_data"`). Such a module has

arguments(parser)        adds the arguments of its own to the command line; each becomes a keyword of `build`
build(out, *, seed, processes, progress, …) -> report      makes the data set in a folder, or goes on making it
table(report, out) -> str                                  the report as the terminal shows it

A data set some of whose games may need an extra takes `strict` too: `files.playable` leaves them out, or refuses.
"""

from typing import Any

from mmgames.core import discovery
from mmgames.errors import MmgamesError, unknown

NEEDED = ("arguments", "build", "table")


def datasets() -> dict[str, Any]:
    """The modules of the data sets there are, by the name the command line knows them by."""
    known: dict[str, Any] = {}
    for found in (*discovery.modules(__name__), *discovery.entry_points("datasets")):
        with discovery.note_failure(found):
            module = found.load()
            if found.where.startswith(f"{__name__}.") and not hasattr(module, "build"):
                continue  # what data sets are made with
            for needed in NEEDED:
                discovery.declared(module, needed)
            name = found.name.replace("_", "-")
            if name in known:
                raise MmgamesError(f"there is another data set {name!r}")
            known[name] = module
    return known


def find(name: str) -> Any:
    """The module of a data set; its `build(out, …)` makes it."""
    known = datasets()
    if name not in known:
        raise unknown("data set", name, "mmgames dataset", known)
    return known[name]
