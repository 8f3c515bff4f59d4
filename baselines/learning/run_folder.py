"""What runs of our trainers share: recipes that are checked, devices, logs that grow and are taken up again."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import torch

from mmgames.errors import MmgamesError, unknown

RecipeT = TypeVar("RecipeT")


def changed(recipe: RecipeT, trainer: str, changes: Mapping[str, Any]) -> RecipeT:
    """A recipe with some settings changed; one that it does not have is named."""
    known = [each.name for each in fields(recipe)]  # type: ignore[arg-type]
    for name in changes:
        if name not in known:
            raise unknown("setting", name, trainer, known)
    return replace(recipe, **changes)  # type: ignore[type-var]


def from_one_up(recipe: Any, trainer: str, *names: str) -> None:
    """Refuse a recipe in which one of these is no whole number from 1 up."""
    for name in names:
        value = getattr(recipe, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise MmgamesError(f"{trainer}: {name}={value!r} is out of range; it is a whole number from 1 up.")


def device_named(asked: str) -> torch.device:
    """The device for "auto" (a graphics card if there is one), "cpu" or "cuda"."""
    if asked == "auto":
        asked = "cuda" if torch.cuda.is_available() else "cpu"
    if asked not in ("cpu", "cuda"):
        raise unknown("device", asked, "training", ("auto", "cpu", "cuda"))
    if asked == "cuda" and not torch.cuda.is_available():
        raise MmgamesError("device='cuda' asks for a graphics card, and PyTorch finds none here; use device='cpu'.")
    if asked == "cuda":
        torch.set_float32_matmul_precision("high")
    return torch.device(asked)


@contextlib.contextmanager
def tensorboard_log(folder: Path, wanted: bool) -> Iterator[Any]:
    """A writer for TensorBoard, or None if nobody wants one."""
    if not wanted:
        yield None
        return
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise MmgamesError("A log for TensorBoard needs it: pip install tensorboard.") from error
    board = SummaryWriter(str(folder))
    try:
        yield board
    finally:
        board.close()


def write_log(path: Path, log: list[dict[str, float]]) -> None:
    names = list(dict.fromkeys(name for entry in log for name in entry))
    with open(path, "w", newline="") as file:
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


def curve(log: list[dict[str, float]], path: Path, title: str) -> None:
    """The learning curve as a picture, if matplotlib is there."""
    points = [(entry["steps"], entry["return"]) for entry in log if "return" in entry]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    if points:
        figure = Figure((6, 3.5), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(*zip(*points, strict=True), color="#2060a0")
        axes.set(xlabel="steps", ylabel="return per seat", title=title)
        axes.grid(alpha=0.3)
        figure.savefig(path, dpi=120)
