"""Manuals as data: each puzzle has its standard one in `manual.json`, and `manual=FILE.json` reads one of that form."""

import json
from importlib.resources import files
from typing import Any, get_args, get_origin, get_type_hints


def kept(package: str | None, name: str) -> Any:
    """What the file NAME.json of a package holds."""
    assert package
    return json.loads(files(package).joinpath(f"{name}.json").read_text("utf-8"))


def standard(kind: Any, package: str | None) -> Any:
    """The manual that comes with a puzzle, as a value of its kind."""
    return shaped(kind, kept(package, "manual"))


def shaped(kind: Any, given: Any) -> Any:
    """What JSON holds as a value of a kind (named tuples, tuples, words, whole numbers); ValueError if it is none."""
    named = getattr(kind, "_fields", ())
    if named and isinstance(given, list):
        given = dict(zip(named, given, strict=False)) if len(given) <= len(named) else given
    if named and isinstance(given, dict) and set(named) - set(kind._field_defaults) <= set(given) <= set(named):
        hints = get_type_hints(kind)
        return kind(**{name: shaped(hints[name], value) for name, value in given.items()})
    if get_origin(kind) is tuple and isinstance(given, list):
        kinds = get_args(kind)
        every = kinds[:1] * len(given) if kinds[-1] is Ellipsis else kinds
        if len(every) == len(given):
            return tuple(map(shaped, every, given))
    if not named and get_origin(kind) is not tuple and isinstance(given, kind) and not isinstance(given, bool):
        return given
    raise ValueError(f"{str(given)[:60]} stands in place of {_called(kind)}")


def _called(kind: Any) -> str:
    if named := getattr(kind, "_fields", ()):
        return f"an object with {', '.join(named)}"
    if get_origin(kind) is tuple:
        return "a list"
    return {int: "a whole number", str: "a word"}.get(kind, "a word or a whole number")
