"""Holes: what a suite cannot play here because a game needs an extra that is not installed.

They are found before anything is played. The rest is played; a result names its holes (`holes`), and says of every mean
over environments how many of how many it is over (`over`). The same run with the extra installed fills them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmgames import tasks
from mmgames.core import extras, registry
from mmgames.core.errors import MissingExtra

if TYPE_CHECKING:
    from mmgames.suites.suite import SuiteRow

NOT_PLAYED = "not played"
ALL = "overall_normalised"
"""What a result's mean over all of its rows is called in `over`; other means have the names of `overall`."""


def find(entries: Iterable[SuiteRow], strict: bool = False) -> list[dict[str, Any]]:
    """The holes among these entries. With `strict`, or when nothing else is left, the first one is an error."""
    entries, found = list(entries), []
    for entry in entries:
        task = tasks.named(entry.id) if entry.id not in registry.specs else None
        spec = registry.find(entry.id if task is None else task.game)
        if why := registry.why_missing(spec):
            called = {"variant": entry.variant} if entry.variant else {}
            facts = {"measure": entry.measure, "game": spec.name, "extras": list(spec.extras), "why": why}
            found.append({"environment": entry.id, **called, **facts})
    if found and (strict or len(found) == len(entries)):
        raise MissingExtra(found[0]["why"])
    return found


def sentence(holes: Iterable[Mapping[str, Any]]) -> str:
    """One line about all of them, by game; empty where there are none."""
    games = {hole["game"]: hole["extras"] for hole in holes}
    return extras.sentence(games.items(), NOT_PLAYED) if games else ""


def lines(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """The line about the holes of results, if they have any."""
    told = sentence(hole for result in results for hole in result.get("holes", ()))
    return [f"{told[0].upper()}{told[1:]} Start the same run again then to fill the holes."] if told else []


def counted(played: Sequence[tuple[str, str]], every: Sequence[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """For each mean, over how many environments of how many it is; both have pairs of a mean and an environment."""
    means = dict.fromkeys(mean for mean, _ in played if mean)
    return {
        mean: {
            "environments": len({environment for own, environment in played if own == mean}),
            "of": len({environment for own, environment in every if own == mean}),
        }
        for mean in means
    }


def over(result: Mapping[str, Any], mean: str = ALL) -> str:
    """` (over 7 of 8 environments)` where a mean is not over all of them; otherwise nothing."""
    found = result.get("over", {}).get(mean)
    partial = found is not None and found["environments"] < found["of"]
    return f" (over {found['environments']} of {found['of']} environments)" if partial else ""
