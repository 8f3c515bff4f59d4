"""Settings that change a score: how whoever answers was shown things, how its replies were read, and how often it was
asked. They stand in the row, and two rows that differ in them are not compared without a word about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.agents.answering import SEEN
from mmgames.agents.base import Agent
from mmgames.agents.identity import description
from mmgames.text.replies import Reading, said_reading

OF_MODELS = ("history", "pictures", "recap", "scratchpad", "votes", "max_tokens_cap")
"""What a model may see again of earlier turns, and what takes further requests."""
NOT_OF_QUESTIONS = ("legal_in_text", "frames")


def of(agent: Agent, reading: Reading, question: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings of an agent in a row; `question` are the options of a task that asks it. Nobody else has any."""
    if not (agent.can_answer or agent.keeps_calls):
        return {}
    said = description(agent)
    told = said if isinstance(said, Mapping) else {}
    own = {name: agent.style.get(name, usual) for name, usual in SEEN.items()}
    if question is not None:
        own |= {name: question[name] for name in SEEN if name in question}
        own = {name: value for name, value in own.items() if name not in NOT_OF_QUESTIONS or name in question}
    seen = own["observe"]
    return {
        **own,
        "observe": seen if isinstance(seen, str) else "+".join(seen),
        **{name: told[name] for name in OF_MODELS if name in told},
        "reading": said_reading(reading).get("reading", "paragraph"),
        "asked_again": reading == "paragraph" and agent.may_be_asked_again,
    }


def together(told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The settings of several agents in one row: what they differ in is a list."""
    names = dict.fromkeys(name for one in told for name in one)
    found = {name: [one.get(name) for one in told] for name in names}
    return {name: all_[0] if all(one == all_[0] for one in all_) else all_ for name, all_ in found.items()}


def in_words(settings: Mapping[str, Any]) -> str:
    """`observe rgb+text, size 512, …`; what is not set is left out."""
    return ", ".join(f"{name} {value}" for name, value in settings.items() if value is not None)


def _of_rows(names: Sequence[str]) -> str:
    return f" of {', '.join(names)}"


def lines(result: Mapping[str, Any]) -> list[str]:
    """The settings of a result, a line for all rows that have the same."""
    rows: dict[str, list[str]] = {}
    for row in result["rows"]:
        if row.get("settings"):
            rows.setdefault(in_words(row["settings"]), []).append(_name(row))
    return [f"settings{_of_rows(names) if len(rows) > 1 else ''}: {told}" for told, names in rows.items()]


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """A line for each way in which rows of two results differ that are about the same; files that do not tell their
    settings differ in none."""
    others = {_name(row): row.get("settings") for row in second["rows"]}
    found: dict[str, list[str]] = {}
    for row in first["rows"]:
        one, two = row.get("settings"), others.get(_name(row))
        if one and two and one != two:
            names = [name for name in {**one, **two} if one.get(name) != two.get(name)]
            told = "; ".join(f"{name} {one.get(name)} and {two.get(name)}" for name in names)
            found.setdefault(told, []).append(_name(row))
    return [f"other settings ({told}): {', '.join(rows)}" for told, rows in found.items()]


def _name(row: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (row["environment"].partition("/")[2], row.get("variant"))))
