"""A training run and its log: until steps or seconds are used up, with a CSV file that grows and is taken up again,
TensorBoard, and the learning curve."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from mmgames.core.whole_files import replacing
from mmgames.errors import MmgamesError
from mmgames.running.progress import Progress

Log = list[dict[str, float]]


class Training(Protocol):
    """What learns: it counts its steps and can be saved."""

    done_steps: int

    def save(self, folder: Path) -> None: ...


def run_until(
    training: Training,
    folder: Path,
    learn: Callable[[float], dict[str, float]],
    keep: Callable[[float, Log], None],
    *,
    label: str,
    steps: int,
    per_update: int,
    seconds: float | None,
    tensorboard: bool,
    show: bool,
    so_far: Callable[[Log], str] | None = None,
) -> Log:
    """Learn until so many steps are done, or the seconds are used up; the log, which goes on from that of before.

    `learn` gets the seconds since the run began, makes `per_update` steps and gives a row of the log; `keep` gets the
    same seconds and the log after each row, and may save something. At the end all is saved.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log = read_log(folder / "log.csv", training.done_steps)
    before, begun = log[-1]["seconds"] if log else 0.0, perf_counter()
    note = None if so_far is None else lambda: so_far(log)
    with (
        tensorboard_log(folder, tensorboard) as board,
        Progress(steps, label, training.done_steps, show, note) as bar,
    ):
        while training.done_steps < steps:
            row = learn(perf_counter() - begun)
            elapsed = perf_counter() - begun
            log.append({"steps": float(training.done_steps), "seconds": before + elapsed, **row})
            for name, value in row.items() if board is not None else ():
                board.add_scalar(name, value, training.done_steps)
            bar.advance(per_update)
            if note is not None:
                bar.note()
            if seconds is not None and elapsed > seconds:
                break
            keep(elapsed, log)
    training.save(folder)
    write_log(folder / "log.csv", log)
    return log


def keep_every(seconds: float, training: Training, folder: Path) -> Callable[[float, Log], None]:
    """A `keep` that saves the training and its log whenever so many seconds have passed."""
    saved = 0.0

    def keep(elapsed: float, log: Log) -> None:
        nonlocal saved
        if elapsed - saved > seconds:
            training.save(folder)
            write_log(folder / "log.csv", log)
            saved = elapsed

    return keep


@contextlib.contextmanager
def tensorboard_log(folder: Path, wanted: bool, steps: int | None = None) -> Iterator[Any]:
    """A writer for TensorBoard, or None if nobody wants one; what was written after so many `steps` is not shown."""
    if not wanted:
        yield None
        return
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise MmgamesError("A log for TensorBoard needs it: pip install tensorboard.") from error
    board = SummaryWriter(str(folder), purge_step=None if steps is None else steps + 1)
    try:
        yield board
    finally:
        board.close()


def write_log(path: Path, log: list[dict[str, float]]) -> None:
    names = list(dict.fromkeys(name for entry in log for name in entry))
    with replacing(path) as partial, open(partial, "w", newline="") as file:
        table = csv.DictWriter(file, names)
        table.writeheader()
        table.writerows(log)


def read_log(path: Path, steps: float = float("inf")) -> list[dict[str, float]]:
    """The log of a run so far: nothing of it that came after the checkpoint."""
    if not steps or not path.exists():
        return []
    with open(path, newline="") as file:
        rows = [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]
    return [row for row in rows if row["steps"] <= steps]


def curve(
    log: list[dict[str, float]], path: Path, title: str, what: str = "return", label: str = "return per seat"
) -> None:
    """The learning curve as a picture, if matplotlib is there."""
    points = [(entry["steps"], entry[what]) for entry in log if what in entry]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    if points:
        figure = Figure((6, 3.5), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(*zip(*points, strict=True), color="#2060a0")
        axes.set(xlabel="steps", ylabel=label, title=title)
        axes.grid(alpha=0.3)
        figure.savefig(path, dpi=120)
