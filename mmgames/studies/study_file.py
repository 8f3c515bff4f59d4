"""A study as its TOML file says it: texts, questions, games, seats, limits. What is wrong is said with its place."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmgames import tasks
from mmgames.agents.finding import make_agent
from mmgames.core import registry
from mmgames.errors import MissingExtra, MmgamesError, nearest
from mmgames.play.browser_game import PERSON
from mmgames.play.hosted_game import AT_THE_TERMINAL
from mmgames.running.episodes import make_plan
from mmgames.tasks.env import TaskEnv

KINDS = ("text", "number", "choice", "scale")
MOST_TEXT = 20_000
OUTCOMES = ("done", "left", "away", "attention")
"""What may become of a participant: all rounds played, left, away for too long, or too many checks missed."""
MOST_SCALE = 11


@dataclass(frozen=True)
class StudyQuestion:
    """What participants are asked before or after the rounds."""

    id: str
    ask: str
    kind: str = "text"
    choices: tuple[str, ...] = ()
    low: int = 1
    high: int = 7
    labels: tuple[str, ...] = ()
    optional: bool = False
    right: str = ""
    """Of an attention check: the answer that whoever reads it gives."""

    def missed(self, answer: Any) -> bool:
        return bool(self.right) and str(answer) != self.right

    def read(self, given: Any) -> Any:
        """An answer as it is kept; a sentence about one that is none."""
        text = given.strip() if isinstance(given, str) else given
        if text is None or text == "":
            if self.optional:
                return None
            raise MmgamesError(f"“{self.ask}” has no answer yet.")
        if self.kind == "choice":
            if text not in self.choices:
                raise MmgamesError(f"“{self.ask}” is answered with one of: {', '.join(self.choices)}.")
            return text
        if self.kind == "text":
            if not isinstance(text, str) or len(text) > MOST_TEXT:
                raise MmgamesError(f"“{self.ask}” is answered with a text of at most {MOST_TEXT:,} characters.")
            return text
        try:
            number = float(text)
        except (TypeError, ValueError):
            number = float("nan")
        if self.kind == "number" and abs(number) < 1e15:
            return int(number) if number == int(number) else number
        if self.kind == "scale" and number in range(self.low, self.high + 1):
            return int(number)
        wanted = "a number" if self.kind == "number" else f"a whole number from {self.low} to {self.high}"
        raise MmgamesError(f"“{self.ask}” is answered with {wanted}.")


@dataclass(frozen=True)
class StudyGame:
    """A game or a task of a study, played for some rounds."""

    id: str
    is_task: bool
    rounds: int
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] = (PERSON,)
    rotate: bool = False
    alternate: bool = True
    max_steps: int | None = None
    instructions: str = ""

    @property
    def name(self) -> str:
        return self.id.rpartition("/")[2].rpartition("-v")[0]

    @property
    def people(self) -> int:
        return self.seats.count(PERSON)

    def seated(self, turn: int) -> tuple[str, ...]:
        """Who sits where when the seats have been turned so often."""
        by = turn % len(self.seats) if self.rotate else 0
        return (*self.seats[-by:], *self.seats[:-by]) if by else self.seats


@dataclass(frozen=True)
class Study:
    title: str
    consent: str
    games: tuple[StudyGame, ...]
    digest: str
    """Of the file: a study does not change while it goes on."""
    instructions: str = ""
    thanks: str = ""
    before: tuple[StudyQuestion, ...] = ()
    after: tuple[StudyQuestion, ...] = ()
    participants: int | None = None
    seed: int | None = None
    order: str = "balanced"
    turn_seconds: float = 300.0
    waiting_seconds: float = 600.0
    refusals: int = 3
    away_seconds: float = 600.0
    """Who is away for longer, and not done yet, has lost the place."""
    links: bool = False
    """Whether everybody needs a link of one's own, which works once."""
    recruit: str = ""
    """The part of a link's query in which a recruiting service says whom it sends."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """Completion codes for such a service, by what became of a participant."""
    return_to: str = ""
    """The address to which participants go back with their code, for which {code} stands."""
    most_misses: int | None = None
    """Who misses more attention checks takes part no longer."""

    @property
    def group(self) -> int:
        """How many people play together."""
        return max(game.people for game in self.games)


def read(path: str | os.PathLike[str]) -> Study:
    """The study of a file; the first thing that is wrong with it is said in a sentence, with its place."""
    try:
        content = Path(path).read_bytes()
        text = content.decode("utf-8")
        found = tomllib.loads(text)
    except OSError as error:
        raise MmgamesError(f"The study {os.fspath(path)!r} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MmgamesError(f"{os.fspath(path)} is no TOML: {error}.") from error
    return _StudyReader(os.fspath(path), text).study(found, hashlib.sha256(content).hexdigest()[:16])


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _whole(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def _seconds(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 86_400


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


Fields = Mapping[str, tuple[Callable[[Any], bool], str]]
_TOP: Fields = {
    "title": (_text, "a text"),
    "consent": (_text, "a text"),
    "instructions": (_text, "a text"),
    "thanks": (_text, "a text"),
    "participants": (_whole(1), "a whole number from 1 up"),
    "seed": (_whole(0), "a whole number from 0 up"),
    "order": (lambda value: value in ("balanced", "fixed"), '"balanced" or "fixed"'),
    "reading": (lambda value: value == "paragraph", '"paragraph", the one way in which replies are read'),
    "turn_seconds": (_seconds, "a number of seconds, above 0 and at most a day"),
    "waiting_seconds": (_seconds, "a number of seconds, above 0 and at most a day"),
    "refusals": (_whole(1), "a whole number from 1 up"),
    "away_seconds": (_seconds, "a number of seconds, above 0 and at most a day"),
    "links": (lambda value: isinstance(value, bool), "true or false"),
    "recruit": (lambda value: isinstance(value, str) and value.isidentifier(), "the name of a part of the query"),
    "codes": (
        lambda value: isinstance(value, dict) and all(one in OUTCOMES and _text(value[one]) for one in value),
        "a table of texts for some of done, left, away, attention",
    ),
    "return_to": (lambda value: _text(value) and value.startswith("https://"), "an address with https://"),
    "most_misses": (_whole(0), "a whole number from 0 up"),
    "before": (lambda value: isinstance(value, list), "a list of questions, each under [[before]]"),
    "after": (lambda value: isinstance(value, list), "a list of questions, each under [[after]]"),
    "games": (lambda value: isinstance(value, list) and bool(value), "a list of games, each under [[games]]"),
}
_GAME: Fields = {
    "game": (_text, "the name of a game"),
    "task": (_text, "the name of a task"),
    "rounds": (_whole(1), "a whole number from 1 up"),
    "options": (lambda value: isinstance(value, dict), "a table of options"),
    "seats": (_texts, f'a list with "{PERSON}" or an agent for each seat'),
    "rotate": (lambda value: isinstance(value, bool), "true or false"),
    "alternate": (lambda value: isinstance(value, bool), "true or false"),
    "max_steps": (_whole(1), "a whole number from 1 up"),
    "instructions": (_text, "a text"),
}
_QUESTION: Fields = {
    "id": (lambda value: isinstance(value, str) and value.isidentifier(), "a name of letters, digits and _"),
    "ask": (_text, "a text"),
    "kind": (lambda value: value in KINDS, f"one of {', '.join(KINDS)}"),
    "choices": (_texts, "a list of texts"),
    "low": (_whole(0), "a whole number from 0 up"),
    "high": (_whole(1), "a whole number from 1 up"),
    "labels": (lambda value: _texts(value) and len(value) == 2, "two texts, for the lowest and the highest"),
    "optional": (lambda value: isinstance(value, bool), "true or false"),
    "right": (_text, "a text, the answer that passes the check"),
}


class _StudyReader:
    """Reads one file; `_wrong` makes the sentence with the place of whatever is not as it should be."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.lines = path, text.splitlines()

    def study(self, found: Mapping[str, Any], digest: str) -> Study:
        top = self._checked(found, _TOP, "", 0, needed=("title", "consent", "games"))
        games = tuple(self._game(own, number) for number, own in enumerate(top.pop("games"), 1))
        top.pop("reading", None)
        before, after = (self._questions(top.pop(when, []), when) for when in ("before", "after"))
        study = Study(games=games, digest=digest, before=before, after=after, **top)
        for number, game in enumerate(games, 1):
            if game.people not in (1, study.group):
                why = f"seats {game.people} people, and another game {study.group}; groups have one size"
                raise self._wrong("games", number, "seats", why)
        return study

    def _game(self, found: Any, number: int) -> StudyGame:
        own = self._checked(found, _GAME, "games", number)
        if ("game" in own) == ("task" in own):
            raise self._wrong("games", number, "", "has to name a game or a task, and one of them")
        rounds, options = own.pop("rounds", 1), own.pop("options", {})
        if "task" in own:
            for name in ("seats", "rotate", "alternate", "max_steps"):
                if name in own:
                    raise self._wrong("games", number, name, "is for games; questions are answered alone")
            with self._place("games", number, "task"):
                id = tasks.find(own.pop("task")).id
            with self._place("games", number, "options"):
                TaskEnv(id, actions="text", **options)
            return StudyGame(id, True, rounds, options, **own)
        with self._place("games", number, "game"):
            id = registry.find(own.pop("game")).id
            registry.load(id)
        with self._place("games", number, "options"):
            game = registry.load(id).game(**options)
        own["seats"] = tuple(own.get("seats", (PERSON,) * len(game.seats)))
        made = StudyGame(id, False, rounds, options, **own)
        self._check_seats(made, game, number)
        if game.starts and rounds > game.starts:
            why = f"is {rounds}, and {made.name} has {game.starts} deals; nobody sees one twice"
            raise self._wrong("games", number, "rounds", why)
        return made

    def _check_seats(self, made: StudyGame, game: Any, number: int) -> None:
        roles = ", ".join(game.seats)
        if len(made.seats) != len(game.seats):
            why = f"has {len(made.seats)} entries, and {made.name} has {len(game.seats)} seats ({roles})"
            raise self._wrong("games", number, "seats", why)
        if not made.people:
            raise self._wrong("games", number, "seats", f'has no "{PERSON}", so nobody would play')
        for agent in dict.fromkeys(made.seats):
            if agent.partition(":")[0] in AT_THE_TERMINAL and agent != PERSON:
                raise self._wrong("games", number, "seats", f'has {agent!r}, who plays at a terminal; write "{PERSON}"')
            with self._place("games", number, "seats"):
                if agent != PERSON:
                    make_agent(agent, game.spec)
        with self._place("games", number, "max_steps"):
            make_plan(made.id, "random", 0, "retry", made.options, made.max_steps)

    def _questions(self, found: Sequence[Any], when: str) -> tuple[StudyQuestion, ...]:
        questions: list[StudyQuestion] = []
        for number, one in enumerate(found, 1):
            own = self._checked(one, _QUESTION, when, number, needed=("id", "ask"))
            own |= {name: tuple(own[name]) for name in ("choices", "labels") if name in own}
            made = StudyQuestion(**own)
            if any(made.id == other.id for other in questions):
                raise self._wrong(when, number, "id", f"is {made.id!r}, as that of another question")
            if (made.kind == "choice") != bool(made.choices):
                raise self._wrong(when, number, "choices", 'goes with kind = "choice", and has to be there then')
            if made.kind == "scale" and not 1 <= made.high - made.low < MOST_SCALE:
                raise self._wrong(
                    when, number, "high", f"leaves {made.high - made.low + 1} steps; a scale has 2 to {MOST_SCALE}"
                )
            questions.append(made)
        return tuple(questions)

    def _checked(
        self, found: Any, fields: Fields, table: str, number: int, needed: Sequence[str] = ()
    ) -> dict[str, Any]:
        if not isinstance(found, Mapping):
            raise self._wrong(table, number, "", "is no table of names and values")
        for name, value in found.items():
            if name not in fields:
                raise self._wrong(table, number, name, f"is not known here.{nearest(name, fields)}".rstrip("."))
            fits, wanted = fields[name]
            if not fits(value):
                raise self._wrong(table, number, name, f"has to be {wanted}, not {_short(value)}")
        for name in needed:
            if name not in found:
                raise self._wrong(table, number, name, "is missing")
        return dict(found)

    def _place(self, table: str, number: int, name: str) -> _Placed:
        return _Placed(lambda why: self._wrong(table, number, name, why))

    def _wrong(self, table: str, number: int, name: str, why: str) -> MmgamesError:
        line = self._line(table, number, name)
        where = f"{self.path}, line {line}" if line else self.path
        own = f"[[{table}]] number {number}" if table else ""
        what = f"{name!r} of {own}" if own and name else own or repr(name)
        return MmgamesError(f"{where}: {what} {why if why.endswith('?') else why.rstrip('.') + '.'}")

    def _line(self, table: str, number: int, name: str) -> int:
        """The line in which a name stands, or its table begins; 0 where neither is found."""
        begins = (
            [at for at, line in enumerate(self.lines, 1) if re.match(rf"\s*\[\[\s*{table}\s*\]\]", line)]
            if table
            else [0]
        )
        if len(begins) < max(number, 1):
            return 0
        first = begins[max(number, 1) - 1]
        for at, line in enumerate(self.lines[first:], first + 1):
            if re.match(r"\s*\[\[", line) or (not table and re.match(r"\s*\[", line)):
                break
            if name and re.match(rf"\s*{re.escape(name)}\s*[=.]", line):
                return at
        return first


class _Placed:
    """Whatever is wrong inside of it is said with the place in the file."""

    def __init__(self, wrong: Callable[[str], MmgamesError]) -> None:
        self._wrong = wrong

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, (MmgamesError, MissingExtra)):
            raise self._wrong(f"cannot be had: {error}") from error


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
