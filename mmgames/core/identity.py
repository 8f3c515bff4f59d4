"""Who an agent is: its name, what sets it apart from others of its class, and another one like it."""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any

from mmgames.core.errors import MmgamesError


def another(agent: Any) -> Any:
    """An agent like this one that shares no memory with it."""
    kind = type(agent).__name__
    if hasattr(agent, "fresh"):
        other = agent.fresh()
        if other is agent or not any(callable(getattr(other, way, None)) for way in ("act", "answer")):
            raise MmgamesError(f"{kind}.fresh() must give another agent, with act(turn), and not {other!r}.")
        return other
    try:
        return copy.deepcopy(agent)
    except Exception as error:
        raise MmgamesError(
            f"The agent {kind} has several seats and cannot be copied ({type(error).__name__}: {error}); give it a "
            "method fresh() that makes another one, or give each seat an object of its own."
        ) from error


def agent_name(agent: Any) -> str:
    return agent if isinstance(agent, str) else str(getattr(agent, "name", type(agent).__name__))


SECRET = ("key", "token", "secret", "password", "auth", "credential")
"""An option whose name has one of these in it is never written down."""


def description(agent: Any) -> Any:
    """What sets an agent given as an object apart from others of its name; None for one that is a name."""
    if isinstance(agent, str):
        return None
    if callable(getattr(agent, "describe", None)):
        said = agent.describe()
        try:
            return json.loads(json.dumps(said))
        except (TypeError, ValueError) as error:
            raise MmgamesError(
                f"{type(agent).__name__}.describe() must give what JSON can hold, such as a dict of texts and numbers: "
                f"{error}."
            ) from error
    kept = {}
    for name in accepted_options(type(agent)):
        value = getattr(agent, name, inspect.Parameter.empty)
        plain = value is None or isinstance(value, (bool, int, float, str))
        if plain and not any(word in name.lower() for word in SECRET):
            kept[name] = value
    return kept or None


def accepted_options(maker: Any) -> list[str]:
    """The options that a class of agents, or whatever makes them, takes."""
    # A class without its own __init__ takes none; inspect would show object's (*args, **kwargs).
    if maker.__init__ is object.__init__:
        return []
    try:
        return list(inspect.signature(maker).parameters)
    except ValueError:  # a class of an extension module may not say
        return []
