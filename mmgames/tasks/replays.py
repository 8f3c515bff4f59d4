"""Questions of a results file again, as they were asked and answered."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium

from mmgames.agents.answering import described_style
from mmgames.running import records

NOT_OPTIONS = ("task", "agent", "named", "description", "seed", "version")
"""What a file of questions says of itself beside the options of its task."""


def options_of(about: Mapping[str, Any]) -> dict[str, Any]:
    """The options of its task that a file of questions tells of itself."""
    return {name: value for name, value in about.items() if name not in NOT_OPTIONS}


def questions_env(about: Mapping[str, Any], **style: Any) -> Any:
    """The environment of a file's questions, shown as its agent says that it sees them; `style` comes first."""
    said = about.get("description")
    names = [name for name in ("observe", "size", "reasoning") if isinstance(said, Mapping) and name in said]
    shown = {name: described_style(said)[name] for name in names}
    options = {**shown, **options_of(about), "actions": "text", **style}
    return gymnasium.make(about["task"], disable_env_checker=True, **options).unwrapped


def put_again(env: Any, row: Mapping[str, Any]) -> dict[str, Any]:
    """The observation that asked a question of a results file, once more."""
    observation: dict[str, Any] = env.reset(seed=row["seed"])[0]
    for _ in range(row.get("place", 0)):  # the seed is an episode's, and further questions are about it too
        observation = env.reset()[0]
    return observation


def row_question(env: Any, row: Mapping[str, Any]) -> Any:
    """The question of a row; rows of released files have numbers."""
    if env.source.rows is None:
        put_again(env, row)
    else:
        env.reset(options={"number": row["number"]})
    return env.question


def questions_in(folder: Path) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """The files of questions in a run's folder: name, header, and the rows by number."""
    for path in sorted(folder.glob("*.jsonl")):
        about, lines = ({}, []) if path.name.endswith(".calls.jsonl") else records.read(path)
        if "task" in about:
            last = {line["number"]: line for line in lines}
            yield path.stem, about, [last[number] for number in sorted(last)]


def refused_at(row: Mapping[str, Any], number: int) -> Mapping[str, Any] | None:
    """Why the reply of this number was asked again; None if it was not."""
    return next((one for one in row.get("again", ()) if one["number"] == number), None)


def after(env: Any, row: Mapping[str, Any], number: int, reply: str) -> dict[str, Any]:
    """The observation that followed the reply of this number, which was not the last."""
    followed: dict[str, Any] = env.ask_again(reply) if refused_at(row, number) else env.step(reply)[0]
    return followed


def replies_of(row: Mapping[str, Any]) -> list[str]:
    """What was replied to a question, each time that it was asked."""
    return list(row.get("replies") or [row["reply"]])


def asked_again(about: Mapping[str, Any], row: Mapping[str, Any], size: int) -> tuple[list[dict[str, Any]], str]:
    """A question of a results file again: its pictures, prompt and reply each time it was asked, and what is right."""
    from mmgames.agents.chat_messages import data_url

    env = questions_env(about, size=size)
    observation = put_again(env, row)
    asked, info = [], {}
    for number, reply in enumerate(replies_of(row)):
        rgb = observation.get("rgb")
        pictures = [] if rgb is None else [rgb] if rgb.ndim == 3 else list(rgb)
        prompt = observation.get("text", "")
        if again := refused_at(row, number):
            observation, ended, info = env.ask_again(reply), False, {"illegal": again["refused"]}
        else:
            observation, _, ended, _, info = env.step(reply)
        refused = {"refused": info["illegal"]} if "illegal" in info else {}
        asked.append({"pictures": [data_url(one) for one in pictures], "prompt": prompt, "reply": reply, **refused})
        if ended:
            break
    return asked, str(info.get("answer"))
