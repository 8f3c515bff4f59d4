"""Files of fixed starts: `instances="starts.json"` plays the devices in a file instead of drawn ones.

The file is a JSON list with one object for each device of a puzzle, or an object that has such a list under the name of
each puzzle. What an object holds is what the puzzle's device shows at the start, in the words of its own fields;
`game.start_facts(state)` gives an example.

The file of configurations that COMMA's code was released with is read, too: a list of objects with one key each, the
name of a puzzle there (`{"LedPuzzle": {"num_stages": 2, …}}`). A puzzle says how it reads its own (`released_start`).
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mmgames.errors import MmgamesError, unknown

RELEASED_NAMES = {"WirePuzzle": "SimpleWirePuzzle", "KeypadPuzzle": "KeyPadPuzzle", "ColorPuzzle": "ColourPuzzle"}
"""What the released file calls those puzzles that have another name here."""
_NOTES = "notes"


class Start(NamedTuple):
    number: int  # of its object in the file, from 0
    facts: Mapping[str, Any]
    released: bool = False  # whether these are the released file's fields


def load(path: str | os.PathLike[str], puzzle: str, id: str) -> list[Start]:
    """The starts that a file has for a puzzle."""
    where = f"{id}: the file of instances {os.fspath(path)!r}"
    content = read_json(path, where)
    if (released := released_starts(content)) is not None:
        name = RELEASED_NAMES.get(puzzle, puzzle)
        if name not in released:
            raise unknown("puzzle", name, where, released)
        return released[name]
    if isinstance(content, dict):
        if puzzle not in content:
            raise unknown("puzzle", puzzle, where, content)
        content = content[puzzle]
    if not isinstance(content, list) or not content or not all(isinstance(start, dict) for start in content):
        raise MmgamesError(f"{where} must hold a list of objects, one for each device of {puzzle}.")
    return [Start(number, start) for number, start in enumerate(content)]


def released_starts(content: Any) -> dict[str, list[Start]] | None:
    """The starts of every puzzle in a file of the released layout; None: it is not one."""
    found: dict[str, list[Start]] = {}
    for number, one in enumerate(content if isinstance(content, list) else ()):
        named = {key: facts for key, facts in one.items() if key != _NOTES} if isinstance(one, dict) else {}
        key = next(iter(named), "")
        if len(named) != 1 or not key.endswith("Puzzle") or not isinstance(named[key], dict):
            return None
        facts = {name: value for name, value in named[key].items() if name != _NOTES}
        found.setdefault(key, []).append(Start(number, facts, True))
    return found or None


def read_json(path: str | os.PathLike[str], where: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise MmgamesError(f"{where} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise MmgamesError(f"{where} is not JSON: {error}.") from error


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
