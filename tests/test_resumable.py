"""Work in numbered pieces: rows are kept, only the missing ones are made, and every maker is closed."""

import copy
import pickle
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mmgames.running.journal import Journal
from mmgames.running.resumable import ResumableWork, make_rows_here
from mmgames.running.worker_cache import WorkerCache, close_caches


class Squares:
    """Makes rows, and fails at some numbers; `open` counts those that are not closed."""

    open = 0

    def __init__(self, fails: tuple[int, ...] = ()) -> None:
        self.fails, self.threads = fails, set[str]()
        Squares.open += 1

    def __call__(self, number: int) -> dict[str, Any]:
        self.threads.add(threading.current_thread().name)
        if number < 0:
            raise RuntimeError("not this one")
        failed = number in self.fails
        return {"number": number, "square": None if failed else number**2, "failed": "odd" if failed else None}

    def close(self) -> None:
        Squares.open -= 1


@pytest.mark.parametrize("threads", [1, 3])
def test_only_what_is_missing_or_has_failed_is_made_again(tmp_path: Path, threads: int) -> None:
    made: list[list[int]] = []

    def run(total: int, *fails: int) -> Any:
        def make_rows(missing: list[int], journal: Journal | None) -> Iterator[dict[str, Any]]:
            made.append(missing)
            assert journal is None
            return make_rows_here(missing, Squares(fails), lambda: Squares(fails), threads)

        work = ResumableWork(tmp_path / "rows.jsonl", {"what": "squares"}, {}, "number", total, calls_models=False)
        return work.run(make_rows)

    assert [row["square"] for row in run(4, 1, 3).rows] == [0, None, 4, None]
    again = run(6, 3)
    assert [row["square"] for row in again.rows] == [0, 1, 4, None, 16, 25]
    assert sorted(row["number"] for row in again.earlier) == [1, 3]
    assert [row["square"] for row in run(2).rows] == [0, 1] and made == [[0, 1, 2, 3], [1, 3, 4, 5], []]
    assert Squares.open == 0


def test_rows_of_a_file_outlive_it_and_can_be_copied(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    work = ResumableWork(path, {}, {}, "number", 3, calls_models=False)
    rows = work.run(lambda missing, journal: map(Squares(), missing)).rows
    Squares.open -= 1
    path.unlink()
    assert [row["square"] for row in rows] == [0, 1, 4] and rows[-2:] == [rows[1], rows[2]]
    assert copy.deepcopy(rows) == pickle.loads(pickle.dumps(rows)) == list(rows) == rows
    with pytest.raises(IndexError):
        rows[3]

    def most(total: int) -> int:
        work = ResumableWork(tmp_path / f"{total}.jsonl", {}, {}, "number", total, calls_models=False)
        rows = ({"number": number, "talk": f"{number} " * 2_000, "failed": None} for number in range(total))
        tracemalloc.start()
        try:
            done = work.run(lambda missing, journal: rows)
            assert sum(len(row["talk"]) >= 4_000 for row in done.rows) == total
            again = work.run(lambda missing, journal: [{}["nothing is missing"] for _ in missing])
            assert len(again.rows) == total and again.rows[-1] == done.rows[total - 1] == done.rows[-1:][0]
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = most(100), most(2_000)
    assert (many - few) / 1_900 < 200, "bytes for each further row"


def test_what_a_worker_keeps_is_used_again_never_by_two_at_once_and_closed_at_the_end() -> None:
    cache = WorkerCache(lambda *key: Squares())
    with cache.borrow("a") as one, cache.borrow("a") as two, cache.borrow("b") as other:
        assert len({one, two, other}) == 3 == Squares.open
    with cache.borrow("a") as again:
        assert again in (one, two) and Squares.open == 3
    close_caches()
    assert Squares.open == 0
    with pytest.raises(RuntimeError, match="not this one"):
        list(make_rows_here([1, 2, -1, 4], Squares(), Squares, 2))
    assert Squares.open == 0
    alone = Squares()
    assert [row["square"] for row in make_rows_here([5], alone, Squares, 2)] == [25]
    assert alone.threads == {threading.current_thread().name}, "one row needs no thread"
    beside = Squares()
    assert len(list(make_rows_here([5, 6], beside, Squares, 2))) == 2
    assert threading.current_thread().name not in beside.threads, "two rows have threads of their own"
