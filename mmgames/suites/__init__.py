"""Suites: named lists of environments, agents, measures and normalisers that reproduce a paper's table.

Every module here that declares `SUITE` is one; `vs_bench.py` is known as `vs-bench`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from mmgames.core.errors import unknown

if TYPE_CHECKING:
    from mmgames.suites.suite import Suite


def suites() -> dict[str, Suite]:
    """The suites there are, by the name the command line knows them by."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    return {module.SUITE.name: module.SUITE for module in modules if hasattr(module, "SUITE")}


def find(name: str) -> Suite:
    known = suites()
    if name not in known:
        raise unknown("suite", name, "mmgames eval", known)
    return known[name]
