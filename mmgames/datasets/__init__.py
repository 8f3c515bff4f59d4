"""Data sets that `mmgames dataset` builds. Every module here but the kit is one (`vs_bench.py` is `vs-bench`)."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from mmgames.core.errors import unknown

KIT = ("files", "selection")
"""Modules that data sets are made with."""


def names() -> list[str]:
    """The data sets there are, by the name the command line knows them by."""
    return [found.name.replace("_", "-") for found in pkgutil.iter_modules(__path__) if found.name not in KIT]


def find(name: str) -> Any:
    """The module of a data set; its `build(out, …)` makes it."""
    if name not in names():
        raise unknown("data set", name, "mmgames dataset", names())
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
