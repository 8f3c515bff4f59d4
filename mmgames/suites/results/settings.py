"""Settings that change a score: how whoever answers was shown things, how its replies were read, and how often it was
asked. They stand in the row, and comparisons say where two rows differ in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.agents.answering import SEEN
from mmgames.agents.base import Agent
from mmgames.agents.identity import description
from mmgames.text.replies import Reading, said_reading

OF_MODELS = ("history", "pictures", "recap", "scratchpad", "votes", "max_tokens_cap")  # seen again; further requests


def of(agent: Agent, reading: Reading, question: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings of an agent in a row, none if it does not answer; `question` are the options of a task."""
    if not (agent.can_answer or agent.keeps_calls):
        return {}
    told = said if isinstance(said := description(agent), Mapping) else {}
    own = {**SEEN, **agent.style, **(question or {})}
    left_out = () if question is None else ("legal_in_text", "frames")  # questions list no moves
    return {
        **{name: own[name] for name in SEEN if name not in left_out},
        "observe": own["observe"] if isinstance(own["observe"], str) else "+".join(own["observe"]),
        **{name: told[name] for name in OF_MODELS if name in told},
        "reading": said_reading(reading).get("reading", "paragraph"),
        "asked_again": reading == "paragraph" and agent.may_be_asked_again,
    }


def short_name(row: Mapping[str, Any]) -> str:
    """An environment without its namespace, and what sets this row of it apart."""
    return " ".join(filter(None, (row["environment"].partition("/")[2], row.get("variant"))))


def together(told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The settings of several agents in one row: what they differ in is a list."""
    found = {name: [one.get(name) for one in told] for name in {**told[0], **told[-1]}}
    return {name: every[0] if all(one == every[0] for one in every) else every for name, every in found.items()}


def lines(result: Mapping[str, Any]) -> list[str]:
    """The settings of a result, a line for all rows that have the same."""
    rows: dict[str, list[str]] = {}
    for row in result["rows"]:
        told = ", ".join(f"{name} {value}" for name, value in row.get("settings", {}).items() if value is not None)
        rows.setdefault(told, []).append(short_name(row))
    return [f"settings of {', '.join(names)}: {told}" for told, names in rows.items() if told]


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """A line for each way in which rows about the same differ; files of before settings were kept tell of none."""
    others, found = {short_name(row): row.get("settings") for row in second["rows"]}, dict[str, list[str]]()
    for row in first["rows"]:
        one, two = row.get("settings"), others.get(short_name(row))
        if one and two and one != two:
            names = [name for name in {**one, **two} if one.get(name) != two.get(name)]
            told = "; ".join(f"{name} {one.get(name)} and {two.get(name)}" for name in names)
            found.setdefault(told, []).append(short_name(row))
    return [f"other settings ({told}): {', '.join(rows)}" for told, rows in found.items()]
