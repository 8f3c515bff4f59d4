"""The folder of records: results files that matches, evaluations and the play page write and the page replays."""

import contextlib
import itertools
import re
import secrets
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.running.episodes import MatchPlan
from mmgames.running.records import Records, read

DRAWN = 2**48  # seeds from here on were drawn when their file was begun
NAMES = 100  # files for the same players whose games differ in something that their names do not tell


class SavedGames:
    """Several threads may use it at the same time."""

    def __init__(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise MmgamesError(f"{folder} is a file, and records are kept in a folder; name another one.")
        self.folder = folder
        self._lock = threading.Lock()
        self._open: dict[str, Records] = {}
        self._next: dict[str, int] = {}
        self._files: dict[str, str] = {}
        self._seeds: dict[str, int] = {}

    def reserve(self, plan: MatchPlan, fresh: bool = False, again: int | None = None) -> tuple[str, int, int]:
        """The file for the episodes of a plan, the number of the next one, and the seed from which they are dealt.

        If `fresh`, that is a seed which was drawn when the file was begun, whatever the plan's: nobody knows the deals.
        `again` is the number that an episode had before a restart.
        """
        about = {**plan.about(), **({"seed": None} if fresh else {})}
        with self._lock:
            name = self._files.get(repr(about)) or self._new(about)
            self._files[repr(about)] = name
            if again is not None and any(row.get("episode") == again for row in self._open[name].rows):
                raise MmgamesError(f"Episode {again} of {name} is over.")
            number = self._next[name] if again is None else again
            self._next[name] = max(self._next[name], number + 1)
            return name, number, self._seeds[name]

    def _new(self, about: Mapping[str, Any]) -> str:
        """Open the file that is about this, or begin one; without a seed, with a drawn one."""
        game = about["match"].rpartition("/")[2].rpartition("-v")[0]
        runs = [(agent, len(list(run))) for agent, run in itertools.groupby(about["agents"])]
        players = [agent if count == 1 else f"{agent}_x{count}" for agent, count in runs]
        stem = re.sub(r"[^\w.=,-]+", "_", "-".join([game, *players]))[:120]
        reason = MmgamesError(f"{NAMES - 1} files of {stem} are open, each about something else; keep some elsewhere.")
        for attempt in range(1, NAMES):
            name = f"{stem}.jsonl" if attempt == 1 else f"{stem}-{attempt}.jsonl"
            if name in self._open:
                continue  # about something else
            seed = about["seed"]
            if seed is None:
                seed = self._drawn_seed(self.folder / name)
            try:
                opened = Records(self.folder / name, {**about, "seed": seed})
            except MmgamesError as error:
                reason = error
                continue
            self._open[name], self._seeds[name] = opened, seed
            self._next[name] = 1 + max((row["episode"] for row in opened.rows if "episode" in row), default=-1)
            return name
        raise reason

    def _drawn_seed(self, path: Path) -> int:
        """The drawn seed of a file that is there, or another one."""
        with contextlib.suppress(MmgamesError, OSError):
            seed = read(path)[0].get("seed") if path.is_file() else None
            if isinstance(seed, int) and seed >= DRAWN:
                return seed
        return DRAWN + secrets.randbelow(DRAWN)

    def add(self, name: str, record: Mapping[str, Any]) -> None:
        with self._lock:
            self._open[name].append(record)

    def close(self) -> None:
        with self._lock:
            for opened in self._open.values():
                opened.close()
            self._open.clear()
            self._files.clear()

    def files(self) -> list[str]:
        """The results files, by their names inside the folder."""
        root = self.folder.resolve()
        inside = (
            path for path in self.folder.rglob("*.jsonl") if path.resolve().is_relative_to(root) and path.is_file()
        )
        found = (path.relative_to(self.folder).as_posix() for path in inside)
        return sorted(name for name in found if not name.endswith(".calls.jsonl"))

    def path(self, name: str) -> Path:
        """Where a file of this folder is; what lies elsewhere does not exist here."""
        root = self.folder.resolve()
        path = (root / name).resolve() if "\0" not in name else root
        if not path.is_relative_to(root) or path.suffix != ".jsonl" or not path.is_file():
            raise MmgamesError(f"There are no records {name!r} here. The page lists all that there are.")
        return path

    def rows(self, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """What a file is about, and its rows."""
        return read(self.path(name))
