"""All calls of runs in one searchable place: an SQLite database that is made anew for every viewer and then forgotten.

Calls and replies are there within seconds; prompts follow in the background, as they are rebuilt from the records
(`rebuilt_prompts.py`). Texts are kept once, however many calls share them, and so is their full-text index.
"""

import contextlib
import json
import re
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.play.rebuilt_prompts import prompt_texts
from mmgames.play.recorded_calls import CallsFile, RecordedCall
from mmgames.text.secrets import without_secrets

PAGE = 50
BATCH = 5000  # calls that are made searchable at a time
NOW = "## Now"
"""Where the part of a prompt begins that changes; what stands before it is the same in many calls."""

_SCHEMA = """
CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT, about TEXT);
CREATE TABLE records (file INTEGER, episode INTEGER, content TEXT, PRIMARY KEY (file, episode));
CREATE TABLE texts (id INTEGER PRIMARY KEY, content TEXT);
CREATE VIRTUAL TABLE words USING fts5(content, content='texts', content_rowid='id');
CREATE TABLE calls (id INTEGER PRIMARY KEY, file INTEGER, agent TEXT, game TEXT, episode INTEGER, seat TEXT,
  number INTEGER, step INTEGER, kind TEXT, refused TEXT, failed TEXT, model TEXT, tokens_in INTEGER,
  tokens_out INTEGER, seconds REAL, finish TEXT, prompt TEXT, reply INTEGER, rules INTEGER, now INTEGER);
CREATE UNIQUE INDEX place ON calls (file, episode, seat, number);
CREATE INDEX agents ON calls (agent, game);
CREATE INDEX kinds ON calls (kind);
"""
_NEW_CALL = f"INSERT INTO calls VALUES ({','.join('?' * 20)})"


@dataclass(frozen=True)
class Search:
    """What is looked for; everything that is empty is left aside. Words are looked for in prompt and reply, or in one
    of them (`where`); what stands in double quotes is one phrase."""

    words: str = ""
    where: str = ""
    agent: str = ""
    game: str = ""
    refused: bool = False
    file: int | None = None
    episode: int | None = None

    def condition(self) -> tuple[str, list[Any]]:
        """The condition in SQL, and its values."""
        parts, values = ["1"], []
        exact = {"agent": self.agent, "game": self.game, "file": self.file, "episode": self.episode}
        for name, value in exact.items():
            if value not in ("", None):
                parts.append(f"{name} = ?")
                values.append(value)
        if self.refused:
            parts.append("(kind != '' OR failed != '')")
        places = {"prompt": ("rules", "now"), "reply": ("reply",)}.get(self.where, ("reply", "rules", "now"))
        for word in self.terms():
            hits = "(SELECT rowid FROM words WHERE words MATCH ?)"
            parts.append(f"({' OR '.join(f'{place} IN {hits}' for place in places)})")
            values += [f'"{word}"*'] * len(places)
        return " AND ".join(parts), values

    def terms(self) -> list[str]:
        """The words and phrases, as far as they hold a letter or a digit: no other marks are in the index."""
        found = re.findall(r'"([^"]*)"?|([^\s"]+)', self.words.replace("\0", " "))
        return [term for pair in found if re.search(r"[^\W_]", term := pair[0] or pair[1])]


class CallIndex:
    """The calls of some folders. One thread fills it; others may search what is there."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._files = [(path, folder) for folder in folders for path in _results_files(folder)]
        if not self._files:
            raise MmgamesError(
                f"{', '.join(map(str, folders))}: no results are kept there; name a folder that `mmgames eval … --out` "
                "or a file that `mmgames match … --out` wrote."
            )
        self._folder = tempfile.TemporaryDirectory(prefix="mmgames-view-")
        self._path = Path(self._folder.name) / "calls.sqlite"
        self._ids: dict[bytes, int] = {}
        self.calls = self.prompts = 0
        """How many calls were found, and of how many the prompt was rebuilt, so far."""
        self.state = "reading"
        """`reading` calls, rebuilding `prompts`, or `done`."""
        self.unread: list[str] = []
        """A sentence about each file that cannot be read."""
        self._stop = threading.Event()
        with self._connected() as database:
            try:
                database.executescript("PRAGMA journal_mode=WAL;" + _SCHEMA)
            except sqlite3.OperationalError as error:
                raise MmgamesError(f"This Python's SQLite has no full-text search (FTS5): {error}.") from error
        self._filler = threading.Thread(target=self.fill, daemon=True)

    def start(self) -> None:
        """Fill it in the background."""
        self._filler.start()

    def close(self) -> None:
        self._stop.set()
        if self._filler.is_alive():
            self._filler.join()
        self._folder.cleanup()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        database = sqlite3.connect(self._path, timeout=60)
        database.execute("PRAGMA synchronous=OFF")
        database.row_factory = sqlite3.Row
        try:
            with database:
                yield database
        finally:
            database.close()

    # Filling it

    def fill(self) -> None:
        """Read all calls, then rebuild all prompts."""
        for state, add in (("reading", self._add_file), ("prompts", self._add_prompts)):
            self.state = state
            for number, (path, _) in enumerate(self._files):
                if self._stop.is_set():
                    return
                try:
                    add(number)
                except Exception as error:  # a file may hold anything, and costs itself alone
                    self.unread.append(f"{path}: {error if isinstance(error, MmgamesError) else repr(error)}")
        self.state = "done"

    def _add_file(self, number: int) -> None:
        path, folder = self._files[number]
        found = CallsFile(path)
        calls = list(found.calls())
        if not calls:
            return
        name = path.relative_to(folder).as_posix() if path != folder else path.name
        with self._connected() as database:
            database.execute("INSERT INTO files VALUES (?, ?, ?)", (number, name, json.dumps(found.about)))
            rows = ((number, episode, json.dumps(row)) for episode, row in found.rows.items())
            database.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)
        for first in range(0, len(calls), BATCH):
            if self._stop.is_set():
                return
            some = calls[first : first + BATCH]
            with self._connected() as database:
                replies = self._add_texts(database, [call.reply or "" for call in some])
                made = zip(some, replies, strict=True)
                database.executemany(_NEW_CALL, (_columns(number, found.game, call, reply) for call, reply in made))
            self.calls += len(some)

    def _add_texts(self, database: sqlite3.Connection, texts: Iterable[str]) -> list[int]:
        """The numbers of texts; those that are new become searchable."""
        numbers, new = [], []
        for text in texts:
            text = _storable(text)
            key = blake2b(text.encode(), digest_size=16).digest()
            if key not in self._ids:
                self._ids[key] = len(self._ids) + 1
                new.append((self._ids[key], text))
            numbers.append(self._ids[key])
        database.executemany("INSERT INTO texts VALUES (?, ?)", new)
        database.executemany("INSERT INTO words (rowid, content) VALUES (?, ?)", new)
        return numbers

    def _add_prompts(self, number: int) -> None:
        with self._connected() as database:
            about = database.execute("SELECT about FROM files WHERE id = ?", (number,)).fetchone()
            rows = database.execute("SELECT episode, content FROM records WHERE file = ? ORDER BY episode", (number,))
            records = {row["episode"]: json.loads(row["content"]) for row in rows}
        if about is None:
            return
        some: list[tuple[int, str, int, str]] = []
        for found in prompt_texts(json.loads(about["about"]), records):
            some.append(found)
            if len(some) == BATCH:
                self._set_prompts(number, some)
                some = []
            if self._stop.is_set():
                return
        self._set_prompts(number, some)

    def _set_prompts(self, number: int, found: Sequence[tuple[int, str, int, str]]) -> None:
        with self._connected() as database:
            parts = [(rules, now + rest) for rules, now, rest in (text.partition(NOW) for *_, text in found)]
            rules = self._add_texts(database, [one for one, _ in parts])
            now = self._add_texts(database, [one for _, one in parts])
            places = [(*both, number, *place) for *both, (*place, _) in zip(rules, now, found, strict=True)]
            where = "file = ? AND episode = ? AND seat = ? AND number = ?"
            database.executemany(f"UPDATE calls SET rules = ?, now = ? WHERE {where}", places)
        self.prompts += len(found)

    # Asking it

    def choices(self) -> dict[str, list[str]]:
        """The agents and the games that there are."""
        with self._connected() as database:
            return {
                name: [row[0] for row in database.execute(f"SELECT DISTINCT {name} FROM calls ORDER BY 1")]
                for name in ("agent", "game")
            }

    def search(self, wanted: Search, page: int = 0) -> tuple[int, list[sqlite3.Row]]:
        """How many calls there are of this kind, and those of one page."""
        condition, values = wanted.condition()
        with self._connected() as database:
            (count,) = database.execute(f"SELECT count(*) FROM calls WHERE {condition}", values).fetchone()
            shown = f"SELECT id FROM calls WHERE {condition} ORDER BY id LIMIT {PAGE} OFFSET ?"
            listed = f"{_WITH_REPLY} WHERE calls.id IN ({shown}) ORDER BY calls.id"
            return count, database.execute(listed, [*values, page * PAGE]).fetchall()

    def find(self, number: int) -> tuple[sqlite3.Row, dict[str, Any], dict[str, Any] | None]:
        """A call, what its file is about, and the record that it belongs to, if there is one."""
        with self._connected() as database:
            call = database.execute(f"{_WITH_REPLY} WHERE calls.id = ?", (number,)).fetchone()
            if call is None:
                raise MmgamesError(f"There is no call {number} in these runs.")
            place = (call["file"], call["episode"])
            record = database.execute("SELECT content FROM records WHERE file = ? AND episode = ?", place).fetchone()
            return call, json.loads(call["about"]), None if record is None else json.loads(record["content"])


_WITH_REPLY = """SELECT calls.*, texts.content AS said, files.name AS file_name, files.about AS about
  FROM calls JOIN texts ON texts.id = calls.reply JOIN files ON files.id = calls.file"""


def _results_files(folder: Path) -> list[Path]:
    files = sorted(folder.rglob("*.jsonl")) if folder.is_dir() else [folder] if folder.exists() else []
    return [path for path in files if not path.name.endswith(".calls.jsonl")]


def _columns(file: int, game: str, call: RecordedCall, reply: int) -> tuple[Any, ...]:
    """A call as a row of the database. Of the journal only what is named here is kept."""
    took: Mapping[str, Any] = call.took
    numbers = [_number(took.get(name)) for name in ("tokens_in", "tokens_out", "seconds")]
    place = (file, call.agent, game, call.episode, call.seat, call.number, call.step)
    failed = without_secrets(str(took.get("failed") or ""))
    texts = [str(took.get(name) or "") for name in ("model", "finish", "prompt")]
    row = (None, *place, call.kind, call.refused, failed, texts[0], *numbers, texts[1], texts[2], reply, None, None)
    return tuple(_storable(value) if isinstance(value, str) else value for value in row)


def _storable(text: str) -> str:
    """Text as a database takes it: half a character, which a reply may hold, is written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _number(value: Any) -> float | None:
    """A number of a journal, which may hold anything."""
    return value if isinstance(value, (int, float)) and abs(value) < 2**53 else None
