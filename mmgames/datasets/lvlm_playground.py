"""LVLM-Playground as data: positions of each game with what is to be perceived, asked and named in them.

A folder holds, for every game and task, `NAME-TASK.parquet` (a row per question, its picture as PNG inside) and
`NAME-TASK.jsonl` (the same rows without the pictures), and `report.json` with the counts. A build that was stopped
goes on with the first file that is missing. A row depends on the seed, its task and its number only.
"""

from __future__ import annotations

import io
import json
import os
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mmgames import tasks
from mmgames.core import registry
from mmgames.core.errors import MmgamesError, unknown
from mmgames.core.progress import Progress
from mmgames.core.records import Records
from mmgames.datasets.vs_bench import _parquet, _png, _write
from mmgames.datasets.workers import spread
from mmgames.tasks.env import Style
from mmgames.tasks.positions import KINDS

GAMES = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")
ROWS = 2000
ROWS_PER_JOB = 100
JOURNAL = "finished.jsonl"


def build(
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    rows: int = ROWS,
    games: Sequence[str] | None = None,
    size: int = 512,
    processes: int = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """Make the data set in the folder `out`, or go on making it; its report."""
    from mmgames import __version__

    _parquet()
    folder, names = Path(out), _chosen(games)
    for name in names:
        registry.load(name)  # a missing extra is better said before any work is done
    if folder.exists() and not folder.is_dir():
        raise MmgamesError(f"{folder} is a file; name a folder for the data set.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / JOURNAL).is_file():
        raise MmgamesError(f"{folder} holds something else; name a new folder or an empty one for the data set.")
    settings = {"seed": int(seed), "rows": int(rows), "games": names, "size": int(size)}
    report: dict[str, Any] = {"data set": "lvlm-playground", "seed": int(seed), "rows": int(rows), "tasks": {}}
    seconds = {}
    with Records(folder / JOURNAL, {"data set": "lvlm-playground", "version": __version__, **settings}) as journal:
        for task in (f"{name}-{kind.capitalize()}" for name in names for kind in KINDS):
            began = time.perf_counter()
            done = any(row.get("finished") == task for row in journal.rows)
            if not done or not all((folder / f"{task}.{kind}").is_file() for kind in ("parquet", "jsonl")):
                made = _rows_of(task, seed, rows, size, processes, progress)
                _save(folder, task, made)
                if not done:
                    journal.add({"finished": task})
            report["tasks"][task] = _facts(read_rows(folder, task))
            seconds[task] = round(time.perf_counter() - began, 1)
        text = json.dumps(report, indent=2, ensure_ascii=False)
        _write(folder / "report.json", (text + "\n").encode())
    return {**report, "seconds": seconds}


def read_rows(folder: str | os.PathLike[str], task: str) -> list[dict[str, Any]]:
    """The rows of one task of a finished data set, such as "Chess-Ask", without their pictures."""
    return [json.loads(line) for line in (Path(folder) / f"{task}.jsonl").read_text("utf-8").splitlines()]


def _chosen(games: Sequence[str] | None) -> list[str]:
    known = [name for name in GAMES if f"mmgames/{name}-v0" in registry.specs]
    for name in games or ():
        if name not in known:
            raise unknown("game", name, "the data set lvlm-playground", known)
    return [name for name in known if games is None or name in games]


def _rows_of(task: str, seed: int, rows: int, size: int, processes: int, progress: bool) -> list[dict[str, Any]]:
    jobs = [(task, seed, first, min(first + ROWS_PER_JOB, rows), size) for first in range(0, rows, ROWS_PER_JOB)]
    made: list[dict[str, Any]] = []
    with Progress(rows, task, show=progress) as bar:
        for part in spread(make_rows, jobs, processes):
            for row in part:
                made.append(row)
                bar.advance()
    return sorted(made, key=lambda row: row["id"])


def make_rows(task: str, seed: int, first: int, last: int, size: int) -> list[dict[str, Any]]:
    """The rows of a task with these numbers."""
    spec = tasks.find(task)
    source = spec.source_class()(spec, Style(size=size))
    found = []
    for number in range(first, last):
        entropy = (seed, zlib.crc32(task.encode()), number)
        own_seed = int(np.random.SeedSequence(entropy).generate_state(1, np.uint32)[0])
        asked = source.ask(np.random.Generator(np.random.PCG64(own_seed)))
        truth = source.truth(asked)
        found.append(
            {
                "id": f"{task}-{number:06d}",
                "task": spec.id,
                "game": spec.game,
                "seed": own_seed,  # an environment that is reset with it asks the same
                "prompt": asked.text,
                "answer": truth["answer"],
                "correct": list(truth["correct"]),
                "template": asked.facts.get("template", ""),
                "options": list(asked.facts.get("options", ())),
                "pictures": [_png(picture) for picture in asked.pictures],
            }
        )
    return found


def _facts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    answers = Counter(row["answer"] for row in rows)
    templates = Counter(row["template"] for row in rows if row["template"])
    facts: dict[str, Any] = {"rows": len(rows), "different answers": len(answers)}
    if templates:
        facts |= {"letters": dict(sorted(answers.items())), "templates": dict(sorted(templates.items()))}
    return facts


def _save(folder: Path, task: str, rows: Sequence[dict[str, Any]]) -> None:
    arrow = _parquet()
    texts = arrow.list_(arrow.string())
    picture = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    types = {"correct": texts, "options": texts, "seed": arrow.int64(), "pictures": arrow.list_(picture)}
    schema = arrow.schema([(key, types.get(key, arrow.string())) for key in rows[0]])
    embedded = [{**row, "pictures": [{"bytes": png, "path": None} for png in row["pictures"]]} for row in rows]
    buffer = io.BytesIO()
    arrow.parquet.write_table(arrow.Table.from_pylist(embedded, schema), buffer)
    _write(folder / f"{task}.parquet", buffer.getvalue())
    lines = (json.dumps({**row, "pictures": len(row["pictures"])}, ensure_ascii=False) for row in rows)
    _write(folder / f"{task}.jsonl", "".join(f"{line}\n" for line in lines).encode())


def table(report: dict, out: str) -> str:
    from mmgames.commands import _table

    rows = [
        (task, str(facts["rows"]), str(facts["different answers"]), f"{report['seconds'][task]:.1f} s")
        for task, facts in report["tasks"].items()
    ]
    head = ("task", "rows", "different answers", "time")
    return f"{out}, seed {report['seed']}\n\n{_table.plain(head, rows, right=(1, 2, 3))}"
