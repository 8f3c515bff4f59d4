"""A prompt of one's own: a small file that says where the parts of what a model is shown go.

    [system]
    You play a board game.
    [user]
    {{rules}}
    {{pictures}}
    It is your turn: {{now}}
    Choose one of: {{legal_actions}}. Write it in \\boxed{}.

The places are in `PLACES`. Whatever else is in the file stays as it is, braces included. Without a line `[system]` or
`[user]` all of it is the user's message. It serves games, tasks, puzzles, clues and votes alike, since the text of all
of them is made of sections with the same titles (`core/prompt.py`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mmgames.core.prompt import section
from mmgames.errors import MmgamesError, unknown

PLACES = {
    "text": "all of the text, as it is without a file",
    "rules": "the rules",
    "you": "whom the model plays",
    "legend": "how many pictures there are and how to read them",
    "pictures": "the pictures; without this place they come last",
    "question": "what is asked, in tasks",
    "now": "the position and what has happened so far",
    "legal_actions": "the legal actions",
    "answer": "how an answer is to be written",
    "refused": "why the last reply was no move, when it was none; without this place it comes last",
    "history": "the model's last replies, as many as history= says, in place of earlier messages",
    "rest": "every section that the file has no place for",
}
_TITLES = {
    "Rules": "rules",
    "You": "you",
    "Picture": "legend",
    "Pictures": "legend",
    "Question": "question",
    "Now": "now",
    "Legal actions": "legal_actions",
    "Answer": "answer",
    "Refused": "refused",
}
_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_PART = re.compile(r"^\[(system|user)\][ \t]*$", re.MULTILINE)
_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_PICTURES = re.compile(r"\{\{\s*pictures\s*\}\}")


@dataclass(frozen=True)
class PromptTemplate:
    """The two messages of a file, with places for what is shown."""

    system: str
    user: str

    def system_message(self, observation: Mapping[str, Any]) -> str:
        return _filled(self.system, self._contents(observation)).strip()

    def user_texts(self, observation: Mapping[str, Any], replies: Sequence[str] = ()) -> tuple[str, str]:
        """The user's message before and after the pictures; `replies` are the model's last ones."""
        contents = {**self._contents(observation), "history": "\n\n".join(replies)}
        before, *after = _PICTURES.split(self.user, maxsplit=1)
        last = "" if self.has("refused", "text", "rest") or not contents["refused"] else f"\n\n{contents['refused']}"
        parts = [_filled(part, contents) for part in (before, *after)]
        parts[-1] += last
        return parts[0].strip("\n"), "".join(parts[1:]).strip("\n")

    def has(self, *places: str) -> bool:
        """Whether the file has one of these places."""
        return any(name in places for name in _PLACE.findall(self.system + self.user))

    def _contents(self, observation: Mapping[str, Any]) -> dict[str, str]:
        """What goes to each place; the sections are without their titles, those of the rest with them."""
        text = str(observation.get("text", ""))
        contents = {**dict.fromkeys(PLACES, ""), "text": text}
        rest = []
        first, *sections = _SECTION.split(text)
        for title, body in zip(sections[::2], sections[1::2], strict=True):
            place, body = _TITLES.get(title.partition(" of ")[0], ""), body.strip("\n")
            if place:
                contents[place] = "\n\n".join(filter(None, (contents[place], body)))
            if not place or not self.has(place):
                rest.append(section(title, body))
        return {**contents, "rest": "\n\n".join(filter(None, (first.strip("\n"), *rest)))}


def _filled(text: str, contents: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: contents[found[1]], text)


def read_prompt(path: str | os.PathLike[str]) -> PromptTemplate:
    """The template in a file; a sentence about one that cannot be used."""
    try:
        return parse_prompt(Path(path).read_text("utf-8"), os.fspath(path))
    except (OSError, UnicodeDecodeError) as error:
        raise MmgamesError(f"The prompt cannot be read from {os.fspath(path)}: {error}.") from error


@lru_cache(maxsize=16)
def parse_prompt(text: str, where: str = "the prompt") -> PromptTemplate:
    for name in _PLACE.findall(text):
        if name not in PLACES:
            raise unknown("place", name, where, PLACES)
    before, *marked = _PART.split(text)
    parts = dict(zip(marked[::2], marked[1::2], strict=True)) if marked else {"user": before}
    if marked and (before.strip() or len(parts) < len(marked) // 2):
        raise MmgamesError(
            f"{where} has text before its first part, or a part twice; [system] and [user] come once each."
        )
    template = PromptTemplate(parts.get("system", "").strip(), parts.get("user", "").strip())
    if not _PLACE.search(template.user):
        raise MmgamesError(
            f"{where} has no place in its user's message, such as {{{{text}}}}; all prompts would be alike."
        )
    if len(_PICTURES.findall(text)) > 1 or re.search(r"\{\{\s*(pictures|history)\s*\}\}", template.system):
        raise MmgamesError(
            f"{where}: {{{{pictures}}}} and {{{{history}}}} belong into the user's message, pictures once."
        )
    return template
