"""A results file: one header line that says what it is about, then one JSON line per finished piece of work.

Lines are appended whole, as the work ends. A run that was killed leaves at most one torn line at the end; opening
the file again cuts it off, and the piece it belonged to is done again.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import threading
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mmgames.core.constants import MAX_MESSAGE
from mmgames.errors import MmgamesError

Fields = Mapping[str, Callable[[Any], bool]]
"""What every row must have, and how to tell that it is usable."""


MOST_OF_A_LONG_REPLY = 2_000


def kept_reply(reply: str) -> str:
    """A reply as a results file keeps it. Of one that is too long to be read, the journal of calls has the rest."""
    if len(reply) <= MAX_MESSAGE:
        return reply
    return f"{reply[:MOST_OF_A_LONG_REPLY]}\n[cut here, of {len(reply):,} characters]"


class KeptRows(Sequence[dict[str, Any]]):
    """Rows of a results file, each read anew whenever it is asked for, as a `kind` of dict.

    In memory is only where they stand, so that a run may be as long as it likes. The file stays open for them.
    """

    def __init__(self, file: _OpenFile, spans: Iterable[int] = (), kind: type[dict[str, Any]] | None = None) -> None:
        self._file, self._spans, self._kind = file, array("q", spans), kind or dict  # start, length, start, length, …

    def note(self, start: int, length: int) -> None:
        """There is one more."""
        self._spans.extend((start, length))

    def chosen(self, places: Iterable[int], kind: type[dict[str, Any]] | None = None) -> KeptRows:
        """Those in these places."""
        return KeptRows(self._file, (self._spans[at] for one in places for at in (2 * one, 2 * one + 1)), kind)

    def __len__(self) -> int:
        return len(self._spans) // 2

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        at = 2 * range(len(self))[place]
        return self._kind(json.loads(self._file.read(*self._spans[at : at + 2])))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __reduce__(self) -> Any:
        return list, (list(self),)

    __hash__ = None  # type: ignore[assignment]


class _OpenFile:
    """A file to read from, by several threads, for as long as somebody has it."""

    def __init__(self, path: Path) -> None:
        self._number = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        weakref.finalize(self, os.close, self._number)
        self._lock = threading.Lock()

    def read(self, start: int, length: int) -> bytes:
        with self._lock:
            os.lseek(self._number, start, os.SEEK_SET)
            return os.read(self._number, length)


class Records:
    """The results file of one piece of work, open for appending. Only one process can have it open."""

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any], fields: Fields | None = None) -> None:
        self.path = Path(path)
        self._about = json.loads(json.dumps(about))
        self._fields = fields or {}
        check_regular(self.path, "Results cannot be kept in")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise MmgamesError(f"Results cannot be kept in {self.path}: {error.strerror}.") from error
        try:
            self._lock()
            self.rows = KeptRows(_OpenFile(self.path))
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row. When the disk is full nothing is torn: the file ends where it ended before."""
        self.rows.note(*self.append(row))

    def close(self) -> None:
        try:
            os.fsync(self._file)
        except OSError as error:
            raise self._unwritten(error) from error
        finally:
            os.close(self._file)

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with contextlib.suppress(MmgamesError) if kind else contextlib.nullcontext():
            self.close()

    def append(self, row: Mapping[str, Any]) -> tuple[int, int]:
        """Append a row that need not be remembered; where it stands, and how long it is."""
        try:
            # Half a character, which a reply may hold, is written as JSON writes it: \\ud800.
            line = (json.dumps(row, ensure_ascii=False) + "\n").encode(errors="backslashreplace")
        except (TypeError, ValueError) as error:
            raise MmgamesError(
                f"{self.path} could not be written: JSON does not hold what is to be kept ({error})."
            ) from error
        end = os.lseek(self._file, 0, os.SEEK_END)
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            os.ftruncate(self._file, end)
            raise self._unwritten(error) from error
        return end, len(line)

    def _unwritten(self, error: OSError) -> MmgamesError:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        return MmgamesError(
            f"{self.path} could not be written: {'the disk is full' if full else error.strerror}. The {len(self.rows)} "
            "results in it are whole; make room and start the same command again to go on."
        )

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows has no flock; there two runs on one file are the user's own lookout
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise MmgamesError(
                f"{self.path} is being written by another run; wait for it or name another file."
            ) from error

    def _read(self) -> None:
        whole, first = 0, True
        with open(self.path, "rb") as file:
            for number, (row, length) in enumerate(_lines(self.path, file), 1):
                if first and row.get("about") != self._about:
                    raise MmgamesError(_other_results(self.path, row.get("about"), self._about))
                if not first:
                    mend = "Remove the line or the file."
                    check_row(row, self._fields, f"{self.path} is damaged: line {number}", mend)
                    self.rows.note(whole, length)
                whole, first = whole + length, False
        if whole < os.fstat(self._file).st_size:
            os.ftruncate(self._file, whole)
        if first:
            self.append({"about": self._about})


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a results file says it is about, and its rows, just to look at: another run may still be writing it."""
    path = Path(path)
    check_regular(path, "Results cannot be read from")
    try:
        with open(path, "rb") as file:
            rows = [row for row, _ in _lines(path, file)]
    except OSError as error:
        raise MmgamesError(f"Results cannot be read from {path}: {error.strerror}.") from error
    about = rows[0].get("about") if rows else None
    if not isinstance(about, dict):
        raise MmgamesError(f"{path} is no results file: its first line does not say what it is about.")
    return about, rows[1:]


def check_regular(path: Path, cannot: str) -> None:
    """A sentence if something is there that is no file: what is written to a pipe or a device cannot be read again."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # nothing there, or nothing that can be seen; opening it will tell
    if not stat.S_ISREG(mode):
        kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
        kind = next((name for test, name in kinds if test(mode)), "a device")
        raise MmgamesError(f"{cannot} {path}: it is {kind}; name a file.")


def check_row(row: Mapping[str, Any], fields: Fields, what: str, mend: str) -> None:
    """A sentence about the first field that a row lacks, or whose value cannot be used."""
    for name, usable in fields.items():
        if name not in row:
            raise MmgamesError(f"{what} has no {name!r}. {mend}")
        if not usable(row[name]):
            raise MmgamesError(f"{what} has {name!r} with an unusable value, {_short(row[name])}. {mend}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _lines(path: Path, file: Iterable[bytes]) -> Iterator[tuple[dict[str, Any], int]]:
    """The lines of a file that are whole, and how many bytes each takes up."""
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            return
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("not an object")
        except (ValueError, RecursionError) as error:
            raise MmgamesError(f"{path} is damaged: line {number} is not a record. Remove it or the file.") from error
        yield row, len(line)


def _other_results(path: Path, found: Any, wanted: Mapping[str, Any]) -> str:
    if not isinstance(found, dict):
        return f"{path} holds other results (its first line does not say what it is about); name another file."
    others = [key for key in dict.fromkeys((*wanted, *found)) if found.get(key) != wanted.get(key)]
    if others == ["version"]:
        return (
            f"{path} was made by mmgames {found.get('version', '(it does not say which)')}, and this is mmgames "
            f"{wanted.get('version')}, whose results are not mixed with those; name another file."
        )
    key = others[0]
    return (
        f"{path} holds other results ({key} is {found.get(key)!r} there and {wanted.get(key)!r} here); "
        "name another file."
    )


class EventLog:
    """What happens, as events in a file: whoever reads them again comes to the same state, also after a kill.

    Every event is on disk before it counts. `apply` says what follows from one."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._events = Records(path, about, {"event": lambda one: isinstance(one, str)})
        self._noting = threading.RLock()
        for row in self._events.rows:
            self.apply(row)

    def apply(self, row: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def note(self, event: str, **more: Any) -> None:
        row = {"event": event, **more}
        with self._noting:
            self._events.append(row)
            self.apply(row)

    def close(self) -> None:
        self._events.close()
