"""The starts of a suite as a file, so that others play the very same ones: JSON lines, one for each start.

The first line names the suite and its seed. Every other has the environment, its `variant` and the `part` of it (such
as a seat) where there are several, the number of the episode or question, its seed and the options. A question's
second seed, `answer_seed`, is that of answers by chance.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from mmgames.core.seeding import RunSeed, SealedSeed
from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError

_FIELDS = {"environment": str, "number": int, "seed": int, "options": dict}
Key = tuple[str, str, str]


class Entry(Protocol):
    """What of a suite's entry settles its starts."""

    @property
    def id(self) -> str: ...

    @property
    def variant(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


class Starts:
    """Those that a run was given, if any, and those that it played."""

    def __init__(self, given: Iterable[Mapping[str, Any]] = (), where: str = "") -> None:
        self.where = where
        self.write_to: Any = None
        self.played: dict[tuple[Key, int], dict[str, Any]] = {}
        self._given: dict[Key, dict[int, Mapping[str, Any]]] = {}
        for start in given:
            key = start["environment"], start.get("variant", ""), start.get("part", "")
            self._given.setdefault(key, {})[start["number"]] = start

    def seeds(self, entry: Entry, part: str = "", name: str = "seed") -> tuple[int, ...]:
        """The seeds of an entry, or of a part of it, in order; none where no starts were given."""
        found = self._given.get((entry.id, entry.variant, part), {})
        return tuple(found[number][name] for number in sorted(found))

    def options(self, entry: Entry) -> dict[str, Any]:
        """The options that an entry was played with."""
        own = (starts for key, starts in self._given.items() if key[:2] == (entry.id, entry.variant))
        return dict(next((start["options"] for starts in own for start in starts.values()), {}))

    def at_most(self, entry: Entry, episodes: int) -> int:
        """So many of these episodes have a start, in all parts of an entry together."""
        found = sum(len(starts) for key, starts in self._given.items() if key[:2] == (entry.id, entry.variant))
        if self._given and not found:
            named = " ".join(filter(None, (entry.id, entry.variant)))
            raise MmgamesError(f"{self.where} has no starts of {named}; name what to play with only= (--only).")
        return min(episodes, found or episodes)

    def note(self, entry: Entry, part: str, number: int, seed: int, **more: int) -> None:
        """An episode or question was played from this seed."""
        about = {"environment": entry.id, "variant": entry.variant, "part": part}
        start = {**{name: text for name, text in about.items() if text}, "number": number, "seed": seed, **more}
        self.played[(entry.id, entry.variant, part), number] = {**start, "options": dict(entry.options)}

    def write(self, suite: str, seed: int) -> None:
        """Write those that were played, if that is wanted."""
        if self.write_to is None:
            return
        lines = [{"suite": suite, "seed": seed}, *self.played.values()]
        try:
            write_whole(Path(self.write_to), "".join(json.dumps(line) + "\n" for line in lines).encode())
        except OSError as error:
            raise MmgamesError(f"The starts cannot be written to {self.write_to}: {error.strerror}.") from error


def taken_from(options: dict[str, Any], suite: str, seed: RunSeed, released: bool = False) -> tuple[RunSeed, Starts]:
    """The seed and the starts that the options of an evaluation ask for; what is about starts is taken out of them.

    `instances` is a file of them if it ends in .jsonl, and otherwise an option of the games.
    """
    given, file = Starts(), options.get("instances")
    named = isinstance(file, (str, os.PathLike)) and os.fspath(file).endswith(".jsonl")
    if isinstance(seed, SealedSeed) and released:
        raise MmgamesError("Released data are public and cannot be sealed; leave out --sealed or --released.")
    if isinstance(seed, SealedSeed) and (named or options.get("write_instances")):
        raise MmgamesError("Starts in a file are not sealed; leave out --sealed, or --instances and --write-instances.")
    if named:
        seed, given = read(options.pop("instances"), suite)
    given.write_to = options.pop("write_instances", None)
    return seed, given


def read(path: str | os.PathLike[str], suite: str) -> tuple[int, Starts]:
    """The seed and the starts of a file that was written for this suite."""
    where = f"The file of starts {os.fspath(path)!r}"
    try:
        lines = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise MmgamesError(f"{where} cannot be read: {error}.") from error
    head, given = (lines[0], lines[1:]) if lines else ({}, [])
    if not isinstance(head, dict) or not isinstance(head.get("seed"), int) or not given:
        raise MmgamesError(f"{where} holds no starts; write one with `mmgames eval SUITE --write-instances FILE`.")
    if head.get("suite") != suite:
        raise MmgamesError(f"{where} is of the suite {head.get('suite')!r}, not of {suite!r}.")
    for number, start in enumerate(given, 2):
        wrong = [name for name, kind in _FIELDS.items() if not _is(start, name, kind)]
        if wrong:
            raise MmgamesError(f"{where}: line {number} lacks {', '.join(wrong)}.")
    return head["seed"], Starts(given, where)


def _is(start: Any, name: str, kind: type) -> bool:
    return isinstance(start, dict) and isinstance(start.get(name), kind) and not isinstance(start[name], bool)
