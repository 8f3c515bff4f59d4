"""A results file: one header line that says what it is about, then one JSON line per finished piece of work.

Lines are appended whole, as the work ends. A run that was killed leaves at most one torn line at the end; opening
the file again cuts it off, and the piece it belonged to is done again.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmgames.core.errors import MmgamesError


class Records:
    """The results file of one piece of work, open for appending. Only one process can have it open."""

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.rows: list[dict[str, Any]] = []
        self._about = json.loads(json.dumps(about))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise MmgamesError(f"Results cannot be kept in {self.path}: {error.strerror}.") from error
        try:
            self._lock()
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row. When the disk is full nothing is torn: the file ends where it ended before."""
        self._append(row)
        self.rows.append(dict(row))

    def close(self) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, row: Mapping[str, Any]) -> None:
        # Half a character, which a reply may hold, is written as JSON writes it: \\ud800.
        line = (json.dumps(row, ensure_ascii=False) + "\n").encode(errors="backslashreplace")
        end = os.lseek(self._file, 0, os.SEEK_END)
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            os.ftruncate(self._file, end)
            why = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else error.strerror
            raise MmgamesError(
                f"{self.path} could not be written: {why}. The {len(self.rows)} results in it are whole; "
                "make room and start the same command again to go on."
            ) from error

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
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._file, whole)
        lines = content[:whole].splitlines()
        if not lines:
            self._append({"about": self._about})
            return
        parsed = []
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError("not an object")
            except ValueError as error:
                raise MmgamesError(
                    f"{self.path} is damaged: line {number} is not a record. Remove it or the file."
                ) from error
            parsed.append(row)
        found = parsed[0].get("about")
        if found != self._about:
            raise MmgamesError(
                f"{self.path} holds other results ({_difference(found, self._about)}); name another file."
            )
        self.rows = parsed[1:]


def _difference(found: Any, wanted: Mapping[str, Any]) -> str:
    if not isinstance(found, dict):
        return "its first line does not say what it is about"
    for key in (*wanted, *found):
        if found.get(key) != wanted.get(key):
            return f"{key} is {found.get(key)!r} there and {wanted.get(key)!r} here"
    return "its header differs"
