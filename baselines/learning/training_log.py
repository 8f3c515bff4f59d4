"""The log of a training run: a CSV file that grows and is taken up again, TensorBoard, and the learning curve."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mmgames.core.whole_files import replacing
from mmgames.errors import MmgamesError


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
