"""A participant wants to be forgotten: what it did is taken out of a study's folder, and nothing else."""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError
from mmgames.running import records
from mmgames.studies.study_state import new_code
from mmgames.suites.people import participants

Row = dict[str, Any]


def forget(folder: Path, code: str) -> int:
    """Take a participant out of all files of a study that is not running; how many rounds and questions were removed.

    Rounds that were played with others go as well, since half of a talk tells the other half. That somebody was there,
    under a code that was drawn anew, stays in the journal of the study, so that no deal is given out twice.
    """
    events = folder / "study.jsonl"
    if not events.is_file():
        raise MmgamesError(f"{folder} holds no study; name the folder that `mmgames study --out` wrote.")
    known = {row["participant"] for row in records.read(events)[1] if row["event"] == "joined"}
    if code not in known:
        raise MmgamesError(f"Nobody in {folder} has the code {code!r}.")
    with ExitStack() as held:
        for path in (events, folder / "answers.jsonl"):
            held.enter_context(records.Records(path, records.read(path)[0]))  # refused while the study runs
        removed = sum(_forget_rounds(path, code) for path in sorted((folder / "records").glob("*.jsonl")))
        for name in ("answers.jsonl", "recruits.jsonl"):
            if (folder / name).is_file():
                _rewrite(folder / name, lambda row: None if row["participant"] == code else row)
        (folder / "table.csv").unlink(missing_ok=True)  # it is written anew when the study stops
        _forget_events(events, code, new_code(known))
    return removed


def _forget_rounds(path: Path, code: str) -> int:
    if path.name.endswith(".calls.jsonl"):
        return 0
    numbers: list[int] = []

    def without(row: Row) -> Row | None:
        if code not in participants(row):
            return row
        numbers.append(row["number"] if "number" in row else row["episode"])
        return None

    _rewrite(path, without)
    calls = path.with_suffix(".calls.jsonl")
    own = re.compile(rf"(?:question )?(?:{'|'.join(map(str, numbers))})(?::.*)?")
    if numbers and calls.is_file():
        _rewrite(calls, lambda row: None if own.fullmatch(row["scope"]) else row)
    return len(numbers)


def _forget_events(path: Path, code: str, other: str) -> None:
    """Another code in its place, no key, and an end to what it was doing."""
    over = {row["id"] for row in records.read(path)[1] if row["event"] == "over"}
    pending: list[Row] = [{"event": "gone", "participant": other, "why": "wanted to be forgotten"}]

    def renamed(row: Row) -> Row:
        row = json.loads(json.dumps(row).replace(json.dumps(code), json.dumps(other)))
        if row["event"] == "joined" and row["participant"] == other:
            row["key"] = ""
            row.pop("recruit", None)
        if row["event"] == "round" and other in row["members"].values() and row["id"] not in over:
            pending.append({"event": "over", "id": row["id"]})
        return row

    _rewrite(path, renamed, pending)


def _rewrite(path: Path, keep: Callable[[Row], Row | None], more: list[Row] | None = None) -> None:
    about, rows = records.read(path)
    kept = [row for row in map(keep, rows) if row is not None]
    lines = [{"about": about}, *kept, *(more or [])]
    try:
        write_whole(
            path,
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode(errors="backslashreplace"),
        )
    except OSError as error:
        raise MmgamesError(f"{path} could not be written: {error.strerror}.") from error
