"""Vision-Zero's pairs of pictures as data: as many as wanted, from any source of pictures that Spy knows.

A folder holds `pairs/NAME_original.png` and `pairs/NAME_modified.png`, the form in which the paper's pairs were
released (and which `pictures="folder:…"` reads), and `pairs.parquet` and `pairs.jsonl` with a row for each pair: its
files, what is in both pictures, what can be said about them, and what was changed. A build that was stopped goes on
with the pairs that are missing. A pair depends on the seed, its number and the source only.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core.observation import check_size
from mmgames.core.whole_files import write_whole
from mmgames.datasets import files
from mmgames.errors import MmgamesError
from mmgames.games.spy import pictures as sources
from mmgames.games.spy.pictures.noise import Noisy
from mmgames.games.spy.pictures.pair import PairSource
from mmgames.running.processes import Workers, run_jobs
from mmgames.running.progress import Progress
from mmgames.text.command_line import arguments_of

ROWS, SIZE = 2000, 320
PAIRS_PER_JOB = 25
JOURNAL = "drawn.jsonl"
FOLDER, TABLE = "pairs", "pairs"


arguments = arguments_of(__package__, "vision_zero")


def build(
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    rows: int = ROWS,
    size: int = SIZE,
    pictures: str = "clevr",
    noise: float = 0.0,
    processes: Workers = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """Draw `rows` pairs into the folder `out`, or go on drawing them; the report.

    `pictures` describes the source, such as "clevr:changes=1,attributes=colour" for pairs that differ less.
    """
    if isinstance(noise, bool) or not isinstance(noise, (int, float)) or not 0 <= noise <= 1:
        raise MmgamesError(f"The data set vision-zero: noise={noise!r} is out of range; it is a share from 0 to 1.")
    check_size(size, "the data set vision-zero")
    _source(pictures, noise)  # what is wrong with it is better said before any work is done
    folder, began = Path(out), time.perf_counter()
    settings = {"seed": int(seed), "rows": int(rows), "size": int(size), "pictures": pictures, "noise": float(noise)}
    with files.open_journal(folder, JOURNAL, "vision-zero", settings) as journal:
        (folder / FOLDER).mkdir(exist_ok=True)
        drawn = {row["number"]: row for row in journal.rows if "number" in row and _whole(folder, row)}
        missing = [number for number in range(rows) if number not in drawn]
        jobs = [
            (str(folder), missing[first : first + PAIRS_PER_JOB], seed, size, pictures, noise)
            for first in range(0, len(missing), PAIRS_PER_JOB)
        ]
        with Progress(rows, "vision-zero", done=len(drawn), show=progress and bool(missing)) as bar:
            for part in run_jobs(draw_pairs, jobs, processes):
                for row in part:
                    journal.add(row)
                    drawn[row["number"]] = row
                    bar.advance()
        table = [drawn[number] for number in sorted(drawn)]
        if missing or not files.finished(folder, journal, TABLE):
            files.save(folder, journal, TABLE, table)
        report = {"data set": "vision-zero", **settings, **_facts(files.checked_rows(folder, TABLE, rows))}
        files.write_report(folder, report)
    return {**report, "seconds": round(time.perf_counter() - began, 1)}


@cache
def _source(pictures: str, noise: float) -> PairSource:
    source = sources.find(pictures)
    return Noisy(source, noise) if noise else source


def _whole(folder: Path, row: dict[str, Any]) -> bool:
    return all((folder / row[part]).is_file() for part in ("original", "modified"))


def draw_pairs(
    out: str, numbers: Sequence[int], seed: int, size: int, pictures: str, noise: float
) -> list[dict[str, Any]]:
    """Write the pictures of these pairs; their rows."""
    source, folder = _source(pictures, noise), Path(out)
    found = []
    for number in numbers:
        own_seed = int(np.random.SeedSequence((seed, number)).generate_state(1, np.uint32)[0])
        pair = source.pair(np.random.Generator(np.random.PCG64(own_seed)))
        row: dict[str, Any] = {"id": f"{number:06d}", "number": number, "seed": own_seed, "source": pictures}
        for part, scene in (("original", pair.original), ("modified", pair.changed)):
            row[part] = f"{FOLDER}/{number:06d}_{part}.png"
            write_whole(folder / row[part], files.png(scene.draw(size)))
        row["changes"] = json.dumps([change._asdict() for change in pair.changes])
        for part, scene in (("original", pair.original), ("modified", pair.changed)):
            row[f"{part}_scene"] = json.dumps(scene.record())
            row[f"{part}_facts"] = [fact.sentence for fact in scene.facts()]
        found.append(row)
    return found


def _facts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    changed = Counter(change["what"] for row in rows for change in json.loads(row["changes"]))
    things = Counter(len({change["thing"] for change in json.loads(row["changes"])}) for row in rows)
    return {
        "changes": dict(sorted(changed.items())),
        "changed things of a pair": {str(number): count for number, count in sorted(things.items())},
        "different originals": len({row["original_scene"] for row in rows}),
    }


def table(report: dict[str, Any], out: str) -> str:
    from mmgames.text.tables import text_table

    rows = [(what, str(count)) for what, count in report["changes"].items()]
    head = f"{out}, {report['rows']} pairs of {report['pictures']}, seed {report['seed']}, {report['seconds']:.1f} s"
    return f"{head}\n\n{text_table(('changed', 'times'), rows, right=(1,))}" if rows else head
