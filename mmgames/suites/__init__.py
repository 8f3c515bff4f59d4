"""Suites: named lists of environments, agents, measures and normalisers that reproduce a paper's table.

Every module here with a `SUITE` is one, found by its file name (`vs_bench.py` is `vs-bench`).
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from mmgames.core.errors import unknown

if TYPE_CHECKING:
    from mmgames.suites.suite import Suite


def names() -> list[str]:
    """The suites there are, by the name the command line knows them by."""
    return [found.name.replace("_", "-") for found in pkgutil.iter_modules(__path__) if found.name != "suite"]


def find(name: str) -> Suite:
    if name not in names():
        raise unknown("suite", name, "mmgames eval", names())
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}").SUITE
