"""Who an agent is: its name, what sets it apart from others of its class, and another one like it."""

from __future__ import annotations

import json
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


def agent_name(agent: str | AgentLike) -> str:
    if isinstance(agent, str):
        return agent
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
