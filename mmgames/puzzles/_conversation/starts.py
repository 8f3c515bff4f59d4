"""Files of fixed starts: `instances="starts.json"` plays the devices in a file instead of drawn ones.

The file is a JSON list with one object for each device of a puzzle, or an object that has such a list under the name of
each puzzle. What an object holds is what the puzzle's device shows at the start, in the words of its own fields;
`game.start_facts(state)` gives an example.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.errors import MmgamesError, unknown


def load(path: str | os.PathLike[str], puzzle: str, id: str) -> list[Mapping[str, Any]]:
    """The starts that a file has for a puzzle."""
    where = f"{id}: the file of instances {os.fspath(path)!r}"
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as error:
        raise MmgamesError(f"{where} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise MmgamesError(f"{where} is not JSON: {error}.") from error
    if isinstance(content, dict):
        if puzzle not in content:
            raise unknown("puzzle", puzzle, where, content)
        content = content[puzzle]
    if not isinstance(content, list) or not content or not all(isinstance(start, dict) for start in content):
        raise MmgamesError(f"{where} must hold a list of objects, one for each device of {puzzle}.")
    return content


def taken(start: Mapping[str, Any], /, **kinds: type | tuple[type, ...]) -> dict[str, Any]:
    """The fields of a start, lists as tuples; ValueError if one is missing, unknown or of another kind.

    A field whose kind includes NoneType may be left out.
    """
    for name in start:
        if name not in kinds:
            raise ValueError(f"it has a field {name!r}; known are {', '.join(kinds)}")
    out = {}
    for name, kind in kinds.items():
        if name not in start and isinstance(None, kind):
            continue
        if name not in start or not isinstance(start[name], kind) or isinstance(start[name], bool):
            raise ValueError(f"its field {name!r} is missing or of the wrong kind")
        out[name] = tupled(start[name])
    return out


def tupled(value: Any) -> Any:
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def demand(fine: Any, otherwise: str) -> None:
    if not fine:
        raise ValueError(otherwise)


def known(values: Sequence[Any], among: Sequence[Any], what: str) -> None:
    for value in values:
        demand(value in among, f"{value!r} is no {what}; known are {', '.join(map(str, among))}")
