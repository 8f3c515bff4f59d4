"""Where the pictures of a round come from. Every module here that has a `SOURCE` is a source of that name.

Other distributions add sources through the entry-point group `mmgames.pictures`: the entry's name is the source's, its
object makes one from keywords. What a source has to give is in `pair.py`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable
from functools import cache

from mmgames.core.agents import named_options
from mmgames.core.errors import MissingExtra, MmgamesError, unknown
from mmgames.games.spy.pictures.pair import PairSource

ENTRY_POINTS = "mmgames.pictures"


def names() -> list[str]:
    """The sources there are, our own first."""
    return list(_makers())


@cache
def _makers() -> dict[str, str]:
    """Source name -> "module:attribute" of what makes one."""
    own = {}
    for found in pkgutil.iter_modules(__path__):
        if hasattr(importlib.import_module(f"{__name__}.{found.name}"), "SOURCE"):
            own[found.name] = f"{__name__}.{found.name}:SOURCE"
    brought = {entry.name: entry.value for entry in importlib.metadata.entry_points(group=ENTRY_POINTS)}
    return {**brought, **own}


def find(description: str) -> PairSource:
    """The source that `"name"`, `"name:option=value,…"` or `"folder:PATH"` describes."""
    if not isinstance(description, str):
        raise MmgamesError(f"pictures= takes the name of a source, such as 'clevr', not {description!r}.")
    name, _, rest = description.partition(":")
    makers = _makers()
    if name not in makers:
        raise unknown("source", name, "pictures=", makers)
    module, _, attribute = makers[name].partition(":")
    try:
        make: Callable[..., PairSource] = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise MissingExtra(f"The source of pictures {name!r} did not load: {error}.") from error
    # A path may hold any sign, so it is not taken apart.
    if getattr(make, "takes_path", False):
        return make(rest)
    return make(**named_options(name, rest, make, kind="source"))
