"""The prompt kit: one order of sections for every game, the unchanging part first (a provider's cache likes that)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Reasoning = Literal["direct", "cot"]
MOST_KEPT = 64  # unchanging parts in a cache: a game may have new ones in every episode

_FORMAT = {
    "direct": 'Reply with one JSON object and nothing else: {"action": "…"}, naming one legal action.',
    "cot": (
        "Think step by step first. Then end your reply with one JSON object on a line of its own: "
        '{"action": "…"}, naming one legal action.'
    ),
}


def section(title: str, body: str) -> str:
    return f"## {title}\n{body}"


def compose(
    words: Any,
    view: Any,
    *,
    with_picture: bool,
    legal: tuple[str, ...] | None,
    reasoning: Reasoning = "direct",
    cache: dict[Any, str] | None = None,
) -> str:
    """The whole text observation of a view.

    With a picture the words leave out what the picture is there to show; alone they describe all of it.
    `legal` lists the legal moves in the prompt, None leaves them out. `cache` keeps the unchanging parts of one
    game, by seat or by what `words.fixed(view)` says they depend on.
    """
    key = words.fixed(view) if hasattr(words, "fixed") else view.seat
    fixed = cache.get(key) if cache is not None else None
    if fixed is None:
        fixed = fixed_part(words, view, reasoning)
        if cache is not None:
            if len(cache) >= MOST_KEPT:
                cache.clear()
            cache[key] = fixed
    parts = [fixed]
    if with_picture:
        parts.append(section("Now", words.history(view)))
    else:
        parts.append(section("Now", words.describe(view)))
    if legal is not None:
        parts.append(section("Legal actions", ", ".join(legal) if legal else "none at the moment"))
    return "\n\n".join(part for part in parts if part)


def fixed_part(words: Any, view: Any, reasoning: Reasoning) -> str:
    """Rules, seat and answer format: the same for a seat through a whole episode."""
    answer = getattr(words, "answer_format", None)
    how = answer(view, reasoning) if answer else _FORMAT[reasoning]
    return "\n\n".join([section("Rules", words.rules(view)), section("You", words.you(view)), section("Answer", how)])


def listing(items: Mapping[str, Any]) -> str:
    """`- name: value` lines."""
    return "\n".join(f"- {name}: {value}" for name, value in items.items())
