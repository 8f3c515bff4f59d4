"""Who has done what in a study. Everything is an event in a journal; read again, the events make the same state.

Of a participant nothing is kept but a code that was drawn, a hash of the key that the browser has, and what was done.
"""

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.play.game_rooms import keep_private
from mmgames.play.saved_games import DRAWN
from mmgames.running import records
from mmgames.running.records import EventLog
from mmgames.studies.assignment import Cell, Step, schedule
from mmgames.studies.study_file import Study
from mmgames.version import __version__

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE = 6


@dataclass
class Participant:
    code: str
    key: str
    """A hash of the key that the browser has."""
    done: set[str] = field(default_factory=set)
    group: int | None = None
    ready: int = -1
    """The step of the schedule for which it has said that it is there."""
    gone: str = ""
    """Why it takes part no longer."""
    outcome: str = ""
    """And in one word: left, away or attention."""
    misses: int = 0
    """How many attention checks it has missed."""
    recruit: str = ""
    """A hash of what a recruiting service calls it."""


@dataclass
class Group:
    number: int
    members: tuple[str, ...]
    cell: Cell
    steps: list[Step]
    over: dict[str, int] = field(default_factory=dict)
    """Of each member, how many steps are behind it."""


@dataclass
class Round:
    id: int
    group: int
    step: int
    file: tuple[int, tuple[str, ...]]
    number: int
    deal: str
    members: dict[str, str]
    """Role -> participant; of a question, whoever answers has the role ""."""
    over: bool = False


class StudyState(EventLog):
    """The events of a study and what follows from them."""

    def __init__(self, folder: Path, study: Study) -> None:
        self.study = study
        self.participants: dict[str, Participant] = {}
        self.groups: dict[int, Group] = {}
        self.rounds: dict[int, Round] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.tickets: dict[str, bool] = {}
        """Links that work once, by a hash of what stands in them; whether somebody has come by one."""
        self._keys: dict[str, Participant] = {}
        path = folder / "study.jsonl"
        self.seed = self._seed(path)
        super().__init__(path, {**self._about(), "seed": self.seed})
        self._answers = records.Records(folder / "answers.jsonl", self._about())
        keep_private(folder / "recruits.jsonl")
        self._recruits = records.Records(folder / "recruits.jsonl", self._about())
        for row in self._answers.rows:
            self._apply_answers(row)

    def _about(self) -> dict[str, Any]:
        return {"study": self.study.title, "sha256": self.study.digest, "version": __version__}

    def _seed(self, path: Path) -> int:
        """The seed of the file, of the study that lies there, or one that is drawn now."""
        if path.is_file():
            about = records.read(path)[0]
            if about.get("sha256") != self.study.digest:
                raise MmgamesError(
                    f"{path.parent} holds a study that was begun with another file, or with this one before it was "
                    "changed; name another folder."
                )
            return int(about["seed"])
        return DRAWN + secrets.randbelow(DRAWN) if self.study.seed is None else self.study.seed

    # What happens

    def join(self, ticket: str = "", recruit: str = "") -> tuple[Participant, str]:
        """A new participant, and the key that its browser keeps."""
        key = secrets.token_urlsafe(18)
        code = new_code(self.participants)
        more = {"ticket": hashed(ticket)} if ticket else {}
        more |= {"recruit": hashed(recruit)} if recruit else {}
        self.note("joined", participant=code, key=hashed(key), **more)
        if recruit:
            self._recruits.append({"participant": code, "recruit": recruit})
        return self.participants[code], key

    def new_tickets(self, count: int) -> list[str]:
        """What stands in so many links that work once."""
        made = [secrets.token_urlsafe(12) for _ in range(count)]
        for ticket in made:
            self.note("ticket", ticket=hashed(ticket))
        return made

    def answer(self, participant: str, when: str, answers: Mapping[str, Any]) -> None:
        row = {"participant": participant, "when": when, "answers": dict(answers)}
        self._answers.append(row)
        self._apply_answers(row)

    def _apply_answers(self, row: Mapping[str, Any]) -> None:
        one = self.participants[row["participant"]]
        one.done.add(row["when"])
        self.answers.setdefault(one.code, {}).update(
            {f"{row['when']}_{id}": said for id, said in row["answers"].items()}
        )
        asked = self.study.before if row["when"] == "before" else self.study.after
        one.misses += sum(question.missed(row["answers"].get(question.id)) for question in asked)

    def apply(self, row: Mapping[str, Any]) -> None:
        kind = row["event"]
        if kind == "joined":
            one = Participant(row["participant"], row["key"], recruit=row.get("recruit", ""))
            self.participants[one.code] = self._keys[one.key] = one
            self.tickets[row.get("ticket", "")] = True
        elif kind == "ticket":
            self.tickets[row["ticket"]] = False
        elif kind == "did":
            self.participants[row["participant"]].done.add(row["what"])
        elif kind == "gone":
            one = self.participants[row["participant"]]
            one.gone, one.outcome = row["why"], row.get("outcome", "left")
        elif kind == "group":
            cell = (row["order"], row["shift"])
            members = tuple(row["members"])
            self.groups[row["group"]] = Group(
                row["group"], members, cell, schedule(self.study, cell), dict.fromkeys(members, 0)
            )
            for code in members:
                self.participants[code].group = row["group"]
        elif kind == "ready":
            self.participants[row["participant"]].ready = row["step"]
        elif kind == "skipped":
            self._passed(row["group"], row["participant"], row["step"])
        elif kind == "round":
            own = {name: row[name] for name in ("id", "group", "step", "number", "deal", "members")}
            self.rounds[row["id"]] = Round(**own, file=(row["game"], tuple(row["seats"])))
        elif kind == "over":
            found = self.rounds[row["id"]]
            found.over = True
            for code in found.members.values():
                self._passed(found.group, code, found.step)

    def _passed(self, group: int, code: str, step: int) -> None:
        own = self.groups[group].over
        own[code] = max(own[code], step + 1)

    # What is asked

    def by_key(self, key: str) -> Participant | None:
        return self._keys.get(hashed(key))  # how long that takes tells of hashes alone

    def taken(self, file: tuple[int, tuple[str, ...]]) -> set[int]:
        return {one.number for one in self.rounds.values() if one.file == file}

    def seen(self, codes: Any) -> set[str]:
        """The deals that any of these participants has seen."""
        return {one.deal for one in self.rounds.values() if one.deal and not {*codes}.isdisjoint(one.members.values())}

    def round_of(self, code: str) -> Round | None:
        """The round that a participant is in."""
        return next((one for one in self.rounds.values() if not one.over and code in one.members.values()), None)

    def roles(self, played: Round) -> Sequence[str]:
        """The seats of a round's game, in their order."""
        game = self.study.games[played.file[0]]
        return registry.load(game.id).game(**game.options).seats

    def close(self) -> None:
        super().close()
        self._answers.close()
        self._recruits.close()


def new_code(known: Collection[str]) -> str:
    """A code that nobody has."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        if code not in known:
            return code


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:32]
