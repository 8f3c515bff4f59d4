"""The prompt kit: one order of sections for every game, the unchanging part first (a provider's cache likes that)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mmgames.core.game_modules import GameWords, Reasoning

__all__ = ["Reasoning", "compose", "fixed_part", "listing", "pictures_part", "section"]


def section(title: str, body: str) -> str:
    return f"## {title}\n{body}"


def compose(
    words: GameWords,
    view: Any,
    *,
    pictures: int,
    legal: tuple[str, ...] | None,
    reasoning: Reasoning = "direct",
    form: str = "",
    size: int = 512,
) -> str:
    """The whole text observation of a view.

    With `pictures` beside it the words leave out what a picture is there to show, as far as it can at its `size`; alone
    they describe all of it. `legal` lists the legal moves in the prompt, None leaves them out. `form` says more about
    how actions are written.
    """
    now = words.history(view) if pictures else words.describe(view)
    if pictures and (unseen := words.unseen(view, size)):
        now = f"{unseen}\n{now}"
    text = f"{fixed_part(words, view, reasoning, pictures, form)}\n\n{section('Now', now)}"
    if legal is None:
        return text
    return f"{text}\n\n{section('Legal actions', ', '.join(legal) or 'none at the moment')}"


def fixed_part(words: GameWords, view: Any, reasoning: Reasoning, pictures: int = 0, form: str = "") -> str:
    """Rules, seat, how to read the pictures and how to answer: the same for a seat through a whole episode."""
    legend = words.legend(view) if pictures else ""
    return _fixed_part(words.rules(view), words.you(view), pictures, legend, words.answer_format(view, reasoning), form)


@lru_cache(maxsize=64)
def _fixed_part(rules: str, you: str, pictures: int, legend: str, answer: str, form: str) -> str:
    """Kept by the very words it is made of, so that no role, option or manual can show up where it does not belong."""
    parts = [section("Rules", rules), section("You", you)]
    if pictures:
        parts.append(pictures_part(pictures, legend))
    parts.append(section("Answer", f"{answer} {form}" if form else answer))
    return "\n\n".join(parts)


def pictures_part(pictures: int, legend: str) -> str:
    """How many pictures there are, in which order, and how to read them."""
    if pictures == 1:
        return section("Picture", f"One picture comes with this text. {legend}".rstrip())
    order = (
        f"{pictures} pictures come with this text, one for each of the last {pictures} positions, oldest to newest; "
        "the last one shows the position as it is now. At the start the first position fills the places before it."
    )
    return section("Pictures", f"{order} {legend}".rstrip())


def listing(items: Mapping[str, Any]) -> str:
    """`- name: value` lines."""
    return "\n".join(f"- {name}: {value}" for name, value in items.items())
