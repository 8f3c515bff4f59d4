"""A study as one flat table: a line for every participant and round, for programs that read tables."""

import csv
import io
from pathlib import Path
from typing import Any

from mmgames.core.whole_files import write_whole
from mmgames.running import records
from mmgames.studies.study_state import Participant, Round, StudyState

FIRST = (
    "participant",
    "outcome",
    "why",
    "misses",
    "group",
    "step",
    "game",
    "seat",
    "number",
    "result",
    "moves",
    "seconds",
    "given_up",
)


def write(folder: Path, state: StudyState) -> Path:
    """Write `table.csv` from the events of a study and its records."""
    rows = [{**row, **state.answers.get(row["participant"], {})} for row in _rows(folder / "records", state)]
    answers = dict.fromkeys(name for given in state.answers.values() for name in given)
    text = io.StringIO()
    table = csv.DictWriter(text, [*FIRST, *answers])
    table.writeheader()
    table.writerows({name: _safe(value) for name, value in row.items()} for row in rows)
    path = folder / "table.csv"
    write_whole(path, text.getvalue().encode(errors="backslashreplace"))
    return path


def _safe(value: Any) -> Any:
    """A text that no program takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def _rows(folder: Path, state: StudyState) -> list[dict[str, Any]]:
    kept = {}
    for path in sorted(folder.glob("*.jsonl")):
        if not path.name.endswith(".calls.jsonl"):
            about, found = records.read(path)
            for row in found:
                people = tuple(sorted(row.get("participants", {"": row.get("participant")}).values()))
                kept[about.get("match") or about.get("task"), row.get("episode", row.get("number")), people] = row
    made = []
    for one in state.participants.values():
        own = [each for each in state.rounds.values() if one.code in each.members.values()]
        made += [_line(one, each, kept, state) for each in own] or [_first(one, state)]
    return made


def _first(one: Participant, state: StudyState) -> dict[str, Any]:
    done = one.group is not None and state.groups[one.group].over[one.code] == len(state.groups[one.group].steps)
    outcome = one.outcome or ("done" if done else "")
    return {"participant": one.code, "outcome": outcome, "why": one.gone, "misses": one.misses, "group": one.group}


def _line(one: Participant, played: Round, kept: dict[Any, dict[str, Any]], state: StudyState) -> dict[str, Any]:
    game = state.study.games[played.file[0]]
    role = next(role for role, code in played.members.items() if code == one.code)
    line = {**_first(one, state), "step": played.step, "game": game.name, "seat": role, "number": played.number}
    row = kept.get((game.id, played.number, tuple(sorted(played.members.values()))))
    if row is None:
        return line
    if game.is_task:
        return {**line, "result": row.get("score"), "seconds": sum(row.get("seconds", ()))}
    replies = zip(row.get("replies", ()), row.get("seconds", ()), strict=False)
    returns = dict(zip(state.roles(played), row["returns"] or (), strict=False))
    more = {"result": returns.get(role), "moves": row["length"]}
    more["seconds"] = round(sum(seconds for reply, seconds in replies if reply["seat"] == role), 3)
    return {**line, **more, "given_up": (row.get("given_up") or {}).get("why", "")}
