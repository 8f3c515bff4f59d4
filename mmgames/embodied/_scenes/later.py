"""Packages that ManiSkill imports for plots, notebooks and downloads, a fifth of its start: imported when one is used.

While ManiSkill is imported, stand-ins have their place. They are gone from `sys.modules` afterwards, so everybody else
imports the real packages, and what ManiSkill has kept of a stand-in turns to the real one when it is used.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PACKAGES: dict[str, tuple[str, ...]] = {
    "matplotlib": (),
    "matplotlib.pyplot": (),
    "matplotlib.cm": (),
    "matplotlib.animation": (),
    "IPython": (),
    "IPython.display": ("HTML", "display"),
    "huggingface_hub": ("snapshot_download",),
}
"""Which modules, and the functions that are imported from them by name."""


class StandIn(ModuleType):
    """Has the functions it was told of; once the real module can be imported, it has all of that."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)
        for function in PACKAGES[name]:
            setattr(self, function, _later(name, function))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or isinstance(sys.modules.get(self.__name__), StandIn):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} yet")
        return getattr(importlib.import_module(self.__name__), name)


def _later(module: str, function: str) -> Callable[..., Any]:
    return lambda *args, **kwargs: getattr(importlib.import_module(module), function)(*args, **kwargs)


@contextmanager
def left_for_later() -> Iterator[None]:
    """While something is imported that does not need them yet; packages that are there already stay."""
    here = {name.partition(".")[0] for name in sys.modules}
    placed = {name: StandIn(name) for name in PACKAGES if name.partition(".")[0] not in here}
    sys.modules.update(placed)
    for name, module in placed.items():
        package, _, part = name.partition(".")
        if part:
            setattr(placed[package], part, module)
    try:
        yield
    finally:
        for name, module in placed.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
