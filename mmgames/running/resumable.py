"""Work in numbered pieces that can be stopped and started again: the one loop of matches, questions and policies.

Each piece gives a row, which is in a results file as soon as it is done. Started again, only the missing rows are made.
"""

from __future__ import annotations

import os
import pickle
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from mmgames.agents.base import CallJournal
from mmgames.errors import MmgamesError
from mmgames.running.journal import Budget, DriverJournal, Journal
from mmgames.running.processes import Workers, run_jobs
from mmgames.running.progress import Progress
from mmgames.running.ray_cluster import Cluster
from mmgames.running.records import Fields, KeptRows, Records
from mmgames.running.threads import run_on_threads
from mmgames.running.worker_cache import WorkerCache

ResultRow = dict[str, Any]


@dataclass(frozen=True)
class ResumableWork:
    """Pieces of work with the numbers 0 to `total` - 1, and the results file in which their rows are kept."""

    path: str | os.PathLike[str] | None
    """The results file; None: nothing is kept."""
    about: Mapping[str, Any]
    """What the file says of itself; files about different things are never mixed."""
    fields: Fields
    """What every row must have. All have their number, and in `failed` why there is no result, or None."""
    number: str
    """The field that holds the number of a row."""
    total: int
    calls_models: bool
    """Whether calls of models are kept too, in a journal beside the results file, and counted in `budget`."""
    budget: Budget | None = None
    label: str = ""
    progress: bool = False

    def run(self, make_rows: Callable[[list[int], Journal | None], Iterable[ResultRow]]) -> FinishedWork:
        """All rows: those of the file that did not fail, and `make_rows(numbers, journal)` for the missing numbers."""
        records = None if self.path is None else Records(self.path, self.about, self.fields)
        rows: list[ResultRow] | KeptRows = [] if records is None else records.rows
        places = array("q", [-1]) * self.total  # of each number, where its row is among them
        earlier: list[ResultRow] = []
        with records or nullcontext(), self._journal() as journal:
            for place, row in enumerate(rows):
                if row[self.number] < self.total:
                    places[row[self.number]] = -1 if row["failed"] else place  # what failed is done again
                    earlier += [row] if row["failed"] else []
            missing = [number for number, place in enumerate(places) if place < 0]
            spent = None if journal is None else journal.budget.in_words
            with Progress(self.total, self.label, self.total - len(missing), self.progress, spent) as bar:
                if journal is not None:
                    journal.after_call = bar.note
                for row in make_rows(missing, journal):
                    (rows.append if records is None else records.add)(row)  # type: ignore[union-attr]
                    places[row[self.number]] = len(rows) - 1
                    bar.advance()
        chosen = [place for place in places if place >= 0]
        done = rows.chosen(chosen) if isinstance(rows, KeptRows) else [rows[place] for place in chosen]
        return FinishedWork(done, earlier)

    def _journal(self) -> Any:
        if not self.calls_models:
            return nullcontext()
        return Journal(
            None if self.path is None else Path(self.path).with_suffix(".calls.jsonl"), self.about, self.budget
        )


@dataclass(frozen=True)
class FinishedWork:
    """The rows in the order of their numbers; `earlier` are those that had failed before and were done again."""

    rows: Sequence[ResultRow]
    earlier: list[ResultRow]


class RowMaker(Protocol):
    """Makes one row after the other, with a game or an environment and agents of its own.

    It is told the number of a row, or whatever else its owner tells pieces apart by.
    """

    def __call__(self, piece: Any, /) -> ResultRow: ...

    def close(self) -> None: ...


def make_rows_here(
    numbers: Sequence[Any], first: RowMaker, another: Callable[[], RowMaker], threads: int
) -> Iterator[ResultRow]:
    """The rows of these numbers in any order, made in this process, on threads if there are several.

    `first` makes rows on one of them; each of the others has `another()`. All are closed at the end.
    """
    makers: list[RowMaker] = []
    lock = threading.Lock()

    def worker() -> RowMaker:
        with lock:
            makers.append(another() if makers else first)
            return makers[-1]

    try:
        if threads == 1 or len(numbers) < 2:
            yield from map(worker(), numbers)
        else:
            yield from run_on_threads(numbers, worker, threads)
    finally:
        for maker in makers:
            maker.close()


def make_rows_elsewhere(
    numbers: Sequence[Any],
    make: Callable[[CallJournal | None], RowMaker],
    workers: Workers,
    journal: CallJournal | None,
    together: int | None,
    died: Callable[[Any], ResultRow] | None = None,
) -> Iterator[ResultRow]:
    """The rows of these numbers in any order, made by other processes or a cluster.

    `make(journal)` makes what makes them there; it travels as a pickle. `together` and `died` are as in `run_jobs`.
    """
    try:
        packed = workers.dumps(make) if isinstance(workers, Cluster) else pickle.dumps(make)
    except Exception as error:
        raise MmgamesError(
            f"An agent given as an object cannot travel to other processes ({error}); use processes=1."
        ) from error
    one_row = partial(_make_row, packed, journal is not None)
    yield from run_jobs(one_row, [(number,) for number in numbers], workers, died, journal, together)


def _make_row(packed: bytes, asks: bool, piece: Any) -> ResultRow:
    with _MAKERS.borrow(packed, asks) as maker:
        return maker(piece)


def _unpacked(packed: bytes, asks: bool) -> RowMaker:
    make: Callable[[CallJournal | None], RowMaker] = pickle.loads(packed)
    return make(DriverJournal() if asks else None)


_MAKERS = WorkerCache(_unpacked)
"""What a worker makes rows with."""
