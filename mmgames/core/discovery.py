"""Things are found, not listed: games, tasks, agents, suites and data sets.

Each kind is looked for in the folders of mmgames that hold it and behind an entry-point group of other distributions
(`mmgames.games`, `.tasks`, `.agents`, `.suites`, `.datasets`). What does not load is remembered with its reason and
warned of once, and everything else works on.
"""

import contextlib
import importlib
import importlib.metadata
import pkgutil
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from mmgames.errors import MmgamesError

broken: dict[str, str] = {}
"""What did not load: the folder, module or entry point -> the reason."""


@dataclass(frozen=True)
class Found:
    """Something that may be a game, a task, … . It has not been imported yet."""

    name: str  # what its file, folder or entry point is called
    where: str  # "package.module", or "package.module:attribute"
    label: str  # what a sentence about it calls it

    def load(self) -> Any:
        """Its module, or the attribute that its entry point names."""
        module, _, attribute = self.where.partition(":")
        return getattr(importlib.import_module(module), attribute) if attribute else importlib.import_module(module)


def modules(*homes: str, folders: bool = False) -> Iterator[Found]:
    """The public modules of these packages; with `folders`, the packages in them."""
    for home in homes:
        for one in pkgutil.iter_modules(importlib.import_module(home).__path__):
            if not one.name.startswith("_") and (one.ispkg or not folders):
                yield in_mmgames(f"{home}.{one.name}")


def in_mmgames(module: str) -> Found:
    return Found(module.rpartition(".")[2], module, module.replace(".", "/"))


def entry_points(group: str) -> Iterator[Found]:
    """What other distributions bring under `mmgames.GROUP`."""
    for entry in _all_entry_points().select(group=f"mmgames.{group}"):
        yield Found(entry.name, entry.value, f"entry point {entry.name!r} in mmgames.{group} ({entry.value})")


@cache
def _all_entry_points() -> Any:
    return importlib.metadata.entry_points()


@contextlib.contextmanager
def note_failure(found: Found) -> Iterator[None]:
    """An exception in this block is remembered as the reason why `found` is not there."""
    try:
        yield
    except Exception as error:
        # Anything may happen in somebody's module; the others must still load.
        ours = isinstance(error, (NotDeclared, MmgamesError))
        remember(found, str(error) if ours else f"{type(error).__name__}: {error}")


def remember(found: Found, reason: str) -> None:
    if found.label not in broken:
        broken[found.label] = reason
        warnings.warn(f"mmgames: {found.label} did not load ({reason}); all others did.", stacklevel=4)


class NotDeclared(Exception):
    """A module lacks what its kind has to declare."""


def declared(thing: Any, name: str) -> Any:
    """What a module declares under a name; an entry point may also name the value itself."""
    if isinstance(thing, ModuleType):
        if not hasattr(thing, name):
            raise NotDeclared(f"it declares no {name}")
        return getattr(thing, name)
    return thing
