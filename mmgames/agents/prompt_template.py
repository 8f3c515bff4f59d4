"""Prompts of one's own: small files that say where the parts of what a model is shown go.

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

A folder has a file for each game, stage and role, as far as they differ: `Spy.vote.txt`, `Spy.clue.spy.txt`,
`solver.txt`, `TicTacToe.ask.txt`. Of those that fit the most particular one counts, a game before a stage before a
role; `default.txt` fits all.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mmgames.core import registry
from mmgames.core.prompt import section
from mmgames.errors import MmgamesError, RunStopped, unknown

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
    "game": "the name of the game",
    "seat": "the seat of the model, such as player_2 or red",
    "round": "which of its turns in this episode it is, from 1",
}
STAGES = (
    *("play", "clue", "vote", "perceive", "ask", "rule", "predict", "recognise", "activate", "plan", "trace"),
    *("difference", "count", "compare", "readchart"),
)
"""What a file of a folder may be for: to play, to give a clue, to vote, or the kinds of tasks."""
_MORE_ROLES = ("civilian", "spy", "observer")
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
    told: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What goes to the places that are about the scene."""

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
        contents = {**dict.fromkeys(PLACES, ""), **self.told, "text": text}
        rest = []
        first, *sections = _SECTION.split(text)
        for title, body in zip(sections[::2], sections[1::2], strict=True):
            place, body = _TITLES.get(title.partition(" of ")[0], ""), body.strip("\n")
            if place:
                contents[place] = "\n\n".join(filter(None, (contents[place], body)))
            if not place or not self.has(place):
                rest.append(section(title, body))
        return {**contents, "rest": "\n\n".join(filter(None, (first.strip("\n"), *rest)))}


class Scene(NamedTuple):
    """Where somebody is asked."""

    game: str = ""
    stage: str = "play"
    role: str = ""
    seat: str = ""
    round: int = 1


@dataclass(frozen=True)
class Prompts:
    """The templates of a folder by the parts of their files' names, or the one of a file, which fits all."""

    where: str
    templates: Mapping[tuple[str, ...], PromptTemplate]

    def at(self, scene: Scene) -> PromptTemplate:
        """The template for a scene; where none fits, nothing can be asked."""
        game, stage, role = (part.lower() for part in scene[:3])
        possible = ((game, stage, role), (game, stage), (game, role), (game,), (stage, role), (stage,), (role,), ())
        found = next((self.templates[parts] for parts in possible if parts in self.templates), None)
        if found is None:
            wanted = ".".join(filter(None, scene[:3]))
            raise RunStopped(f"{self.where} has no prompt for {wanted}: there is no {wanted}.txt and no default.txt.")
        return replace(found, told={"game": scene.game, "seat": scene.seat, "round": str(scene.round)})

    def __repr__(self) -> str:
        """What makes it these prompts, for a hash."""
        return repr(self.templates[()] if [*self.templates] == [()] else sorted(self.templates.items()))


def _filled(text: str, contents: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: contents[found[1]], text)


def read_prompts(path: str | os.PathLike[str]) -> Prompts:
    """The templates in a folder or a file; a sentence about one that cannot be used."""
    where = Path(path)
    if not where.is_dir():
        return Prompts(str(where), {(): read_prompt(where)})
    named = {file: file.name.removesuffix(".txt").lower() for file in sorted(where.glob("*.txt"))}
    if not named:
        raise MmgamesError(f"{where} holds no prompts: they are files such as play.txt, Spy.vote.txt or default.txt.")
    games = {spec.name.lower() for spec in registry.specs.values()}
    roles = {seat.lower() for spec in registry.specs.values() for seat in spec.seats}
    for file, name in named.items():
        for part in name.split(".") if name != "default" else ():
            if part not in {*games, *STAGES, *roles, *_MORE_ROLES}:
                raise unknown("game, stage or role", part, str(file), [*STAGES, *_MORE_ROLES, *sorted(games | roles)])
    return Prompts(
        str(where), {() if name == "default" else (*name.split("."),): read_prompt(f) for f, name in named.items()}
    )


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
