"""Who an agent is: its name, what sets it apart from others of its class, and another one like it.

A description may give its agent a short name, by which files and tables call it: `"chat:org/model-7b,as=Model-7B"`.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from mmgames.agents.base import Agent, AgentLike, as_agent
from mmgames.errors import MmgamesError


def fresh_agent(agent: AgentLike) -> Agent:
    """An agent like this one that shares no memory with it."""
    one = as_agent(agent)
    other = as_agent(one.fresh())
    if other.given is one.given or not (other.can_play or other.can_answer):
        raise MmgamesError(
            f"{one.class_name}.fresh() must give another agent, with act(turn), and not {other.given!r}."
        )
    return other


_AS = re.compile(r"(?<=[:,])as=([^,]*)(?:,|$)")


def split_name(description: str) -> tuple[str, str]:
    """A description without `as=NAME`, and the name that it gives; empty: none."""
    names = [name.strip() for name in _AS.findall(description)]
    if len(names) > 1 or "" in names:
        raise MmgamesError(f"Agent {description!r}: as=NAME gives one short name; it is there twice, or empty.")
    return (_AS.sub("", description).rstrip(":,"), names[0]) if names else (description, "")


def given_names(agents: Iterable[Any]) -> dict[str, dict[str, str]]:
    """`{"named": {name: description}}` for files, where descriptions give short names; else nothing.

    Two agents with one name are an error, as no table could tell them apart.
    """
    named: dict[str, str] = {}
    everyone: dict[str, str] = {}
    for written in (agent for agent in agents if isinstance(agent, str)):
        plain, name = split_name(written)
        other = everyone.setdefault(name or plain, plain)
        if other != plain:
            raise MmgamesError(
                f"Two agents are called {name or plain!r}: {other} and {plain}. Give one another as=NAME."
            )
        named |= {name: plain} if name else {}
    return {"named": named} if named else {}


def agent_name(agent: str | AgentLike) -> str:
    if isinstance(agent, str):
        plain, name = split_name(agent)
        return name or plain
    found = as_agent(agent)
    return found.class_name if found.name is None else str(found.name)


def description(agent: str | AgentLike) -> Any:
    """What sets an agent given as an object apart from others of its name; None for one that is a name."""
    if isinstance(agent, str):
        return None
    found = as_agent(agent)
    said = found.describe()
    if not found.describes_itself:
        return said
    try:
        return json.loads(json.dumps(said))
    except (TypeError, ValueError) as error:
        raise MmgamesError(
            f"{found.class_name}.describe() must give what JSON can hold, such as a dict of texts and numbers: {error}."
        ) from error
