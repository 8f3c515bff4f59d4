"""Options of constructors: those that a class takes, and those of them that an object keeps."""

import inspect
from typing import Any

SECRET = ("key", "token", "secret", "password", "auth", "credential")
"""An option whose name has one of these in it is never written down."""


def accepted_options(maker: Any) -> list[str]:
    """The options that a class of agents, or whatever makes them, takes."""
    # A class without its own __init__ takes none; inspect would show object's (*args, **kwargs).
    if maker.__init__ is object.__init__:
        return []
    try:
        return list(inspect.signature(maker).parameters)
    except ValueError:  # a class of an extension module may not say
        return []


def required_options(maker: Any) -> list[str]:
    """Those of them without which it makes nothing."""
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if not accepted_options(maker):
        return []
    found = inspect.signature(maker).parameters.values()
    return [one.name for one in found if one.default is one.empty and one.kind in named]


def kept_options(thing: Any) -> dict[str, Any] | None:
    """The options of its class that an object keeps under the same names, as far as they are plain values."""
    kept = {}
    for name in accepted_options(type(thing)):
        value = getattr(thing, name, inspect.Parameter.empty)
        plain = value is None or isinstance(value, (bool, int, float, str))
        if plain and not any(word in name.lower() for word in SECRET):
            kept[name] = value
    return kept or None
