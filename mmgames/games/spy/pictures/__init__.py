"""Where the pictures of a round come from. Every module here that declares `SOURCE` is a source of its name.

Other distributions bring sources through the entry-point group `mmgames.pictures`: an entry's name is the source's, and
it names what makes one from keywords (or a module with a `SOURCE`). What a source has to give is in `pair.py`.
"""

from collections.abc import Callable
from functools import cache

from mmgames.agents.finding import named_options
from mmgames.core import discovery
from mmgames.errors import MmgamesError, unknown
from mmgames.games.spy.pictures.pair import PairSource

Maker = Callable[..., PairSource]


@cache
def makers() -> dict[str, Maker]:
    """What makes a source, by the source's name."""
    known: dict[str, Maker] = {}
    for found in (*discovery.modules(__name__), *discovery.entry_points("pictures")):
        with discovery.note_failure(found):
            loaded = found.load()
            if found.where.startswith(f"{__name__}.") and not hasattr(loaded, "SOURCE"):
                continue  # what sources are made with
            if found.name in known:
                raise MmgamesError(f"there is another source {found.name!r}")
            known[found.name] = discovery.declared(loaded, "SOURCE")
    return known


def find(description: str) -> PairSource:
    """The source that `"name"`, `"name:option=value,…"` or `"folder:PATH"` describes."""
    if not isinstance(description, str):
        raise MmgamesError(f"pictures= takes the name of a source, such as 'clevr', not {description!r}.")
    name, _, rest = description.partition(":")
    known = makers()
    if name not in known:
        raise unknown("source", name, "pictures=", known)
    make = known[name]
    # A path may hold any sign, so it is not taken apart.
    if getattr(make, "takes_path", False):
        return make(rest)
    return make(**named_options(name, rest, make, kind="source"))
