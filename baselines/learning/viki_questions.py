"""Questions of VIKI's levels drawn ahead: pictures, words, answers, reasons and the tasks that judge replies.

A folder holds a file for some tasks of a split, so that drawing goes on where it stopped and many processes share it.
What is asked is what the environments ask: the first two levels of a task have one picture, and paths, which have
another, are drawn into a folder of their own. Plans to learn from are tidy.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import numpy as np
from PIL import Image

from mmgames import tasks
from mmgames.core.observation import check_size
from mmgames.core.whole_files import write_whole
from mmgames.embodied._questions.activate import Activate
from mmgames.embodied._questions.kitchen import Judged
from mmgames.embodied._questions.plan import Plan
from mmgames.embodied._questions.reasoning import why_these_robots, why_this_order
from mmgames.embodied._questions.trace import Trace
from mmgames.embodied._world import generator
from mmgames.embodied._world.names import APPLIANCES, AREAS, DISHES, FOODS, THINGS, TOOLS, TYPES
from mmgames.embodied._world.paths import HEIGHT, WIDTH
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied._world.tidy import tidy
from mmgames.errors import MmgamesError, unknown
from mmgames.running.processes import run_jobs
from mmgames.tasks.questions import Question, Style
from mmgames.text.refusals import Illegal

LEVELS = {"L1": "VikiKitchen-Activate", "L2": "VikiKitchen-Plan", "L3": "VikiKitchen-Trace"}
SPLITS: tuple[str, ...] = get_args(generator.Split)
LOOK, LOOK_AT_ENDS = "Which robots are there?", "Where do the ways begin, and where do they end?"
PER_FILE = 250
SPAN = 100  # among so many tasks for each that is drawn there are enough with paths to ask about
NAMES = (*TYPES, *FOODS, *TOOLS, *DISHES, *THINGS, *APPLIANCES, *AREAS, *(f"R{number}" for number in range(1, 10)))
"""The words of the domain, for a tokenizer."""


@dataclass(frozen=True)
class Asked:
    """A question that was drawn, the answer to it, why that is the answer, and the number of its picture."""

    level: str
    text: str
    answer: str
    reasons: str
    task: Mapping[str, Any]
    """The task, as JSON has it."""
    picture: int
    plain: bool = False
    """Whether the answer stands alone, without tags around it."""

    def reply(self, reasons: bool) -> str:
        """What is to be learned."""
        if self.plain:
            return self.answer
        return f"<think>{self.reasons if reasons else ''}</think><answer>{self.answer}</answer>"


class Asker:
    """All levels, as the environments ask and judge them; pictures have `size` pixels."""

    def __init__(self, split: str, size: int) -> None:
        style = Style(size=size, reasoning="cot")
        activate, plan, trace = (tasks.find(name) for name in LEVELS.values())
        self.activate = Activate(activate, style, split=split)  # type: ignore[arg-type]
        self.plan = Plan(plan, style, split=split)  # type: ignore[arg-type]
        self.trace = Trace(trace, style, split=split)  # type: ignore[arg-type]

    def draw(self, task: KitchenTask, paths: bool = False) -> tuple[dict[str, Any], np.ndarray]:
        """A task with what is asked, answered and thought about it at the first two levels, and its picture; or with
        its `paths`, on a picture that is as high as it is wide, as a model sees it."""
        if paths:
            asked = self.trace.about(task)
            seen = Image.fromarray(asked.pictures[0]).resize((self.trace.style.size,) * 2, Image.Resampling.BICUBIC)
            return {"task": task.to_dict(), "L3": (asked.text, asked.answer, ends(asked.answer))}, np.asarray(seen)
        steps = tidy(task, generator.reference_plan(task))
        first, second = self.activate.about(task), self.plan.about(task)
        told = {
            "L1": (first.text, first.answer, why_these_robots(task, steps)),
            "L2": (second.text, self.plan.in_form(steps), why_this_order(task, steps)),
        }
        return {"task": task.to_dict(), **told}, first.pictures[0]

    def judge(self, asked: Asked, reply: str) -> Judged:
        """What a reply comes to; what is no answer at all has no format either."""
        source = {"L1": self.activate, "L2": self.plan, "L3": self.trace}[asked.level]
        source.task = KitchenTask.from_dict(asked.task)
        size = source.style.size
        facts = {"width": size, "height": round(size * HEIGHT / WIDTH)}
        question = Question((), asked.text, {}, frozenset(), asked.answer, facts)
        judged = source.read(question, reply)
        found = Judged(False, 0.0) if isinstance(judged, Illegal) else judged
        return replace(found, remarks=source.remarks(question, found)) if asked.level == "L3" else found


def ends(paths: str) -> str:
    """Where each of some paths begins and ends, in words: what is to be seen before they can be drawn."""
    ways = ((f"{x:g}, {y:g}" for x, y in (path[0], path[-1])) for path in json.loads(paths))
    return " ".join("From {} to {}.".format(*way) for way in ways)


def draw(
    folder: str | os.PathLike[str], rows: Mapping[str, int], *, size: int, seed: int, paths: bool = False,
    processes: int = 1,
) -> int:  # fmt: skip
    """Draw so many tasks of each split into the folder, or what is missing there; how many files were written."""
    check_size(size, "viki_r")
    for split, count in rows.items():
        if split not in SPLITS:
            raise unknown("split", split, "viki_r", SPLITS)
        if count < 1:
            raise MmgamesError(f"viki_r: {count} tasks of {split} cannot be drawn; it is at least one.")
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    about: dict[str, Any] = {"size": size, "seed": seed} | ({"paths": True} if paths else {})
    if (settings := path / "drawn.json").exists() and json.loads(settings.read_text()) != about:
        raise MmgamesError(f"{path} was drawn with {settings.read_text().strip()}; take another folder.")
    write_whole(settings, (json.dumps(about) + "\n").encode())
    parts = [
        (path, split, size, seed, first, min(first + PER_FILE, count), paths)
        for split, count in rows.items()
        for first in range(0, count, PER_FILE)
    ]
    jobs = [part for part in parts if not _file(path, part[1], part[4], part[5]).exists()]
    if jobs:
        generator.generate(0)  # compiled here once, and not by every process
    return sum(1 for _ in run_jobs(draw_part, jobs, processes))


def _file(folder: Path, split: str, first: int, last: int) -> Path:
    return folder / f"{split}-{first:07d}-{last:07d}.npz"


def draw_part(folder: Path, split: generator.Split, size: int, seed: int, first: int, last: int, paths: bool) -> None:
    """One file of a split."""
    asker, begin = Asker(split, size), seed * 10_000_000
    numbers = range(begin + first * SPAN, begin + last * SPAN) if paths else range(begin + first, begin + last)
    found = (generator.generate(number, split) for number in numbers)
    suiting = filter(asker.trace.suits, found) if paths else found
    drawn = [asker.draw(task, paths) for task in islice(suiting, last - first)]
    lines = "\n".join(json.dumps(row) for row, _ in drawn).encode()
    made = io.BytesIO()
    np.savez(made, pictures=np.stack([picture for _, picture in drawn]), lines=np.frombuffer(lines, np.uint8))
    write_whole(_file(folder, split, first, last), made.getvalue())


@dataclass(frozen=True)
class Drawn:
    """What was drawn of a split: its questions, those of a task one after the other, and its pictures."""

    questions: list[Asked]
    pictures: np.ndarray

    def of(self, level: str) -> list[Asked]:
        return [one for one in self.questions if one.level == level]

    def looks(self) -> Drawn:
        """One short question about each picture, which robots it shows, or where paths begin and end: for a model that
        has never seen one."""
        seen = [(one, LOOK_AT_ENDS, one.reasons) for one in self.of("L3")]
        for one in self.of("L1"):
            robots = ", ".join(f"{robot.name} {robot.type}" for robot in KitchenTask.from_dict(one.task).robots)
            seen.append((one, LOOK, robots))
        asked = [Asked("look", what, answer, "", one.task, one.picture, plain=True) for one, what, answer in seen]
        return Drawn(asked, self.pictures)


def read(folder: str | os.PathLike[str], split: str, most: int | None = None) -> Drawn:
    """The questions of a split about the first `most` tasks that were drawn, or all of them."""
    questions: list[Asked] = []
    pictures: list[np.ndarray] = []
    count = 0
    for path in sorted(Path(folder).glob(f"{split}-[0-9]*.npz")):
        if most is not None and count >= most:
            break
        with np.load(path) as file:
            lines = file["lines"].tobytes().decode().splitlines()[: None if most is None else most - count]
            pictures.append(file["pictures"][: len(lines)])
        for number, row in enumerate(map(json.loads, lines), count):
            questions += _asked(row, number)
        count += len(lines)
    if not questions:
        raise MmgamesError(f"{folder} has no questions of {split}; draw them first.")
    return Drawn(questions, np.concatenate(pictures))


def _asked(row: Mapping[str, Any], number: int) -> Iterator[Asked]:
    for level in filter(row.__contains__, LEVELS):
        text, answer, reasons = row[level]
        yield Asked(level, text, answer, reasons, row["task"], number)
