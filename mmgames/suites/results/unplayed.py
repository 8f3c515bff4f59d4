"""What a suite does not play, because a game needs an extra that is not installed or the user leaves it out.

They are found before anything is played. The rest is played; a result names them (`unplayed`), and says of every mean
over environments how many of how many it is over (`over`). The same run with the extra installed fills them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmgames import tasks
from mmgames.core import extras, registry
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError

if TYPE_CHECKING:
    from mmgames.suites.entries import SuiteEntry

EntryKey = tuple[str, str]
"""An environment, and the variant of it where a suite has several."""
NOT_PLAYED = "not played"
WHY = ("skipped", "unrecorded")
"""Why an entry is left out that could be played: a user says so, or nobody's records hold it."""
ALL = "overall_normalised"
"""What a result's mean over all of its rows is called in `over`; other means have the names of `overall`."""


def find(
    entries: Iterable[SuiteEntry], strict: bool = False, left_out: Iterable[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """The unplayed among these entries; those in `left_out` are: of the run that is scored again, or skipped.

    With `strict` one that is not skipped is an error, and so it is when nothing else is left.
    """
    entries = list(entries)
    before = {key(one): next((why for why in WHY if one.get(why)), "earlier") for one in left_out}
    games = {entry.id: game_of(entry.id) for entry in entries}
    there = [games[entry.id] for entry in entries if entry.key not in before]
    lacking = extras.games_lacking_extras(there, strict)
    found = [
        {
            "environment": entry.id,
            **({"variant": entry.variant} if entry.variant else {}),
            "measure": entry.measure,
            "game": games[entry.id].name,
            "extras": list(games[entry.id].extras),
            **({before[entry.key]: True} if entry.key in before else {}),
        }
        for entry in entries
        if entry.key in before or games[entry.id] in lacking
    ]
    if found and all("skipped" in one for one in found) and not there:
        raise MmgamesError("--skip leaves nothing of it to play.")
    if (strict and any("skipped" not in one for one in found)) or (found and not there):
        told = sentence(found)
        mend = "Leave out --strict, or score other environments of it." if strict else "Score other environments of it."
        raise MmgamesError(f"{told[0].upper()}{told[1:]} {mend}")
    return found


def key(one: Mapping[str, Any]) -> EntryKey:
    """Which entry of its suite it is."""
    return one["environment"], one.get("variant", "")


def game_of(environment: str) -> GameSpec:
    """The game that an environment is, or that its questions are about."""
    task = None if environment in registry.specs else tasks.named(environment)
    return registry.find(environment if task is None else task.game)


def sentence(unplayed: Iterable[Mapping[str, Any]]) -> str:
    """One line about all of them, by game; empty where there are none."""
    unplayed = list(unplayed)
    games = {one["game"]: one["extras"] for one in unplayed if not _settled(one)}
    skipped = dict.fromkeys("/".join(filter(None, key(one))) for one in unplayed if one.get("skipped"))
    before = dict.fromkeys(one["game"] for one in unplayed if one.get("earlier"))
    nobody = dict.fromkeys(one["game"] for one in unplayed if one.get("unrecorded"))
    told = [extras.left_out_message(games.items(), NOT_PLAYED)] if games else []
    told += [f"{NOT_PLAYED}, as --skip says: {', '.join(skipped)}."] if skipped else []
    told += [f"{NOT_PLAYED} in the run that is scored again: {', '.join(before)}."] if before else []
    told += [f"{NOT_PLAYED} in the records of people: {', '.join(nobody)}."] if nobody else []
    return " ".join(told)


def _settled(one: Mapping[str, Any]) -> bool:
    """Whether no extra would fill it."""
    return any(one.get(why) for why in (*WHY, "earlier"))


def lines(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """The line about what results lack, if they do."""
    unplayed = [one for result in results for one in result.get("unplayed", ())]
    told = sentence(unplayed)
    own = all(map(_settled, unplayed))
    fill = "" if own else " Start the same run again then to fill them in."
    return [f"{told[0].upper()}{told[1:]}{fill}"] if told else []


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
