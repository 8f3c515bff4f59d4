"""Questions of a results file again, as they were asked and answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

NOT_OPTIONS = ("task", "agent", "named", "description", "seed", "version")
"""What a file of questions says of itself beside the options of its task."""


def options_of(about: Mapping[str, Any]) -> dict[str, Any]:
    """The options of its task that a file of questions tells of itself."""
    return {name: value for name, value in about.items() if name not in NOT_OPTIONS}


def asked_again(about: Mapping[str, Any], row: Mapping[str, Any], size: int) -> tuple[list[dict[str, Any]], str]:
    """A question of a results file again: its pictures, prompt and reply each time it was asked, and what is right."""
    from mmgames.agents.chat_messages import data_url

    env: Any = gymnasium.make(
        about["task"], disable_env_checker=True, **{**options_of(about), "actions": "text", "size": size}
    ).unwrapped
    observation, _ = env.reset(seed=row["seed"])
    for _ in range(row.get("place", 0)):  # the seed is an episode's, and further questions are about it too
        observation, _ = env.reset()
    asked, info = [], {}
    for reply in row.get("replies") or [row["reply"]]:
        rgb = observation.get("rgb")
        pictures = [] if rgb is None else [rgb] if rgb.ndim == 3 else list(rgb)
        prompt = observation["text"]
        observation, _, ended, _, info = env.step(reply)
        refused = {"refused": info["illegal"]} if "illegal" in info else {}
        asked.append({"pictures": [data_url(one) for one in pictures], "prompt": prompt, "reply": reply, **refused})
        if ended:
            break
    return asked, str(info.get("answer"))
