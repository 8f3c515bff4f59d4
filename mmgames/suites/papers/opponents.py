"""Decision making against others than the paper's: the same entries, beside whom a user names."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from mmgames.agents.finding import make_agent
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.suites.entries import SuiteEntry
from mmgames.suites.protocols import against


def meeting(
    entries: Sequence[SuiteEntry], opponent: str, named: Collection[str], played: Collection[Callable[..., Any]]
) -> list[SuiteEntry]:
    """The entries with this opponent, or partner, in the other seat, half of the games in each: those that are against
    somebody anyway, or those `named`, of the protocols `played`. Nothing was published of them."""
    made = []
    for entry in entries:
        own = entry.id in named if named else entry.measure.startswith("return against")
        if own and entry.id in registry.specs:
            spec = registry.find(entry.id)
            if len(spec.seats) != 2 or not (entry.protocol in played or entry.measure.startswith("return against")):
                raise MmgamesError(f"{entry.id} is not played against anybody; leave opponent= or this game out.")
            make_agent(opponent, spec)
            told = f"return beside {opponent}, half of the games in each seat"
            variant = f"opponent={opponent}"
            entry = replace(entry, protocol=against(opponent), measure=told, variant=variant, published={})
        made.append(entry)
    if made == [*entries]:
        raise MmgamesError("opponent= is for games of two that are played; name some with only= (--only).")
    return made
