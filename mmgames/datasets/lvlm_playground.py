"""LVLM-Playground as data: positions of each game with what is to be perceived, asked and named in them.

A folder holds, for every game and task, `NAME-TASK.parquet` (a row per question, its picture as PNG inside) and
`NAME-TASK.jsonl` (the same rows without the pictures), and `report.json` with the counts. With `bands` there is a
`NAME-TASK-BAND` for every band of a game instead: how crowded a board of Gomoku is, which pieces a board of Chess has.
A build that was stopped goes on with the first file that is missing. A row depends on the seed, its table, its number
and the options of its task only.
"""

import json
import os
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mmgames import tasks
from mmgames.core import registry
from mmgames.core.observation import check_size
from mmgames.datasets import files
from mmgames.errors import MmgamesError, unknown
from mmgames.running.processes import Workers, run_jobs
from mmgames.running.progress import Progress
from mmgames.tasks.positions import BOARDS, KINDS
from mmgames.tasks.questions import Source, Style
from mmgames.text.command_line import arguments_of

GAMES = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")
ROWS = 2000
ROWS_PER_JOB = 50
JOURNAL = "finished.jsonl"


@dataclass(frozen=True)
class QuestionFile:
    """One pair of files: a task and the options its questions are asked with."""

    task: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.task, self.options.get("band"))))

    @property
    def game(self) -> str:
        return self.task.partition("-")[0]

    def source(self, size: int) -> Source:
        spec = tasks.find(self.task)
        return spec.source_class()(spec, Style(size=size), **self.options)


arguments = arguments_of(__package__, "lvlm_playground")


def build(
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    rows: int = ROWS,
    games: Sequence[str] | None = None,
    size: int = 512,
    bands: bool = False,
    strict: bool = False,
    processes: Workers = 1,
    progress: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Make the data set in the folder `out`, or go on making it; its report.

    `options` are those of the tasks (`rules`, `band`, `shots`, `balanced`); each goes to the tasks that have it. A game
    that needs an extra which is not installed is left out, and made when the same is built again with it; with `strict`
    that is an error.
    """
    there = (name for name in GAMES if f"mmgames/{name}-v0" in registry.specs)
    folder, names = Path(out), files.chosen(games, there, "lvlm-playground")
    check_size(size, "the data set lvlm-playground")
    if bands and "band" in options:
        raise MmgamesError("The data set lvlm-playground: give either bands, for all of them, or the name of one band.")
    files.pyarrow()
    here, lacking = files.playable(names, strict, progress)
    tables = [table for table in _tables(names, bands, options) if table.game in here]
    for table in tables:
        table.source(size)  # a wrong option is better said before any work is done
    settings = {"seed": int(seed), "rows": int(rows), "games": names, "size": int(size), "bands": bands, **options}
    report: dict[str, Any] = {"data set": "lvlm-playground", "seed": int(seed), "rows": int(rows), "tasks": {}}
    report |= {"left out": lacking} if lacking else {}
    began = time.perf_counter()
    with files.open_journal(folder, JOURNAL, "lvlm-playground", settings) as journal:
        missing = [table for table in tables if not files.finished(folder, journal, table.name)]
        jobs = [
            (number, table, seed, first, min(first + ROWS_PER_JOB, rows), size)
            for number, table in enumerate(missing)
            for first in range(0, rows, ROWS_PER_JOB)
        ]
        made: dict[int, list[dict[str, Any]]] = {}
        with Progress(rows * len(missing), "lvlm-playground", show=progress and bool(missing)) as bar:
            for number, part in run_jobs(make_rows, jobs, processes):
                held = made.setdefault(number, [])
                held += part
                bar.advance(len(part))
                if len(held) == rows:  # a file is written as soon as its last row is there
                    files.save(folder, journal, missing[number].name, sorted(held, key=lambda row: row["id"]))
                    del made[number]
        for table in tables:
            report["tasks"][table.name] = _facts(files.checked_rows(folder, table.name, rows))
        files.write_report(folder, report)
    return {**report, "seconds": round(time.perf_counter() - began, 1)}


def _tables(games: Sequence[str], bands: bool, options: Mapping[str, Any]) -> Iterator[QuestionFile]:
    known: set[str] = set()
    for game in games:
        for kind in KINDS:
            task = f"{game}-{kind.capitalize()}"
            accepted = tasks.find(task).options()
            known.update(accepted)
            own = {name: value for name, value in options.items() if name in accepted}
            for band in (bands and BOARDS[f"mmgames/{game}-v0"].bands) or (None,):
                yield QuestionFile(task, own if band is None else {**own, "band": band})
    for name in options:
        if name not in known:
            raise unknown("option", name, "the data set lvlm-playground", sorted(known))


def make_rows(
    number: int, table: QuestionFile, seed: int, first: int, last: int, size: int
) -> tuple[int, list[dict[str, Any]]]:
    """The rows of a table with the numbers from `first` to before `last`; with the table's own number."""
    source = table.source(size)
    found = []
    for row in range(first, last):
        entropy = (seed, zlib.crc32(table.name.encode()), row)
        own_seed = int(np.random.SeedSequence(entropy).generate_state(1, np.uint32)[0])
        asked = source.ask(np.random.Generator(np.random.PCG64(own_seed)))
        truth = source.truth(asked)
        found.append(
            {
                "id": f"{table.name}-{row:06d}",
                "task": source.spec.id,
                "game": source.spec.game,
                "settings": json.dumps(dict(table.options)),  # an environment of the task that is made with these
                "seed": own_seed,  # and reset with this asks the same
                "prompt": asked.text,
                "answer": truth["answer"],
                "correct": list(truth["correct"]),
                "template": asked.facts.get("template", ""),
                "options": list(asked.facts.get("options", ())),
                "pictures": [files.png(picture) for picture in asked.pictures],
            }
        )
    return number, found


def _facts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    answers = Counter(row["answer"] for row in rows)
    templates = Counter(row["template"] for row in rows if row["template"])
    facts: dict[str, Any] = {"rows": len(rows), "different answers": len(answers)}
    if templates:
        facts |= {"letters": dict(sorted(answers.items())), "templates": dict(sorted(templates.items()))}
    return facts


def table(report: dict, out: str) -> str:
    from mmgames.text.tables import text_table

    rows = [(task, str(facts["rows"]), str(facts["different answers"])) for task, facts in report["tasks"].items()]
    listed = text_table(("table", "rows", "different answers"), rows, right=(1, 2))
    listed = f"{out}, seed {report['seed']}, {report['seconds']:.1f} s\n\n{listed}"
    return "\n\n".join([listed, *([files.left_out(report["left out"])] if "left out" in report else [])])
