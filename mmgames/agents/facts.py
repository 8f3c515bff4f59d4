"""What can be said about an agent before it is made: what it does, and the options that it takes."""

import importlib
import inspect
import re
from functools import lru_cache
from typing import Any, NamedTuple

from mmgames.agents.finding import known_agents
from mmgames.core.constructor_options import accepted_options
from mmgames.core.spec import GameSpec

_OPTION = re.compile(r"^(\w+(?:, \w+)*,?) {2,}(\S.*)$")
"""A line of a docstring about options: their names, some spaces, what they mean."""


class AgentOption(NamedTuple):
    """An option of an agent; what is not plain text or a number has no default here."""

    name: str
    required: bool
    default: str | int | float | bool | None
    doc: str = ""


class AgentFacts(NamedTuple):
    """`missing` is why it cannot be made here, where a package is not installed."""

    name: str
    does: str
    options: tuple[AgentOption, ...] = ()
    missing: str = ""


def agent_facts(name: str, spec: GameSpec) -> AgentFacts:
    """The facts about an agent of a game."""
    return _facts(name, known_agents(spec)[name])


@lru_cache(maxsize=256)
def _facts(name: str, where: str) -> AgentFacts:
    module_name, _, attribute = where.partition(":")
    try:
        module = importlib.import_module(module_name)
        maker = getattr(module, attribute)
    except Exception as error:  # a package of others may raise anything
        return AgentFacts(name, "", missing=f"It cannot be loaded here: {type(error).__name__}: {error}")
    doc = inspect.cleandoc(maker.__doc__ or module.__doc__ or "")
    return AgentFacts(name, " ".join(doc.partition("\n\n")[0].split()), options_of(maker))


def options_of(maker: Any) -> tuple[AgentOption, ...]:
    """The options that a class of agents takes, with what its docstring says of each."""
    names = accepted_options(maker)
    if not names:
        return ()
    documented = option_docs(maker.__doc__ or "")
    found = inspect.signature(maker).parameters
    return tuple(
        AgentOption(
            name,
            found[name].default is inspect.Parameter.empty,
            found[name].default if isinstance(found[name].default, (str, int, float)) else None,
            documented.get(name, ""),
        )
        for name in names
        if found[name].kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    )


def option_docs(doc: str) -> dict[str, str]:
    """What a docstring says in lines of the form `name   what it means`, which may go on below, further in."""
    found: dict[str, str] = {}
    now: list[str] = []
    for line in inspect.cleandoc(doc).splitlines():
        begun = _OPTION.match(line)
        if begun:
            now = [name.strip() for name in begun[1].split(",") if name.strip()]
            found.update(dict.fromkeys(now, begun[2]))
        elif now and line.startswith("    "):
            found.update({name: f"{found[name]} {line.strip()}" for name in now})
        else:
            now = []
    return found
