"""WhoPuzzle: press the button that the word on the display leads to, by way of another button's label."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.who_puzzle import manual as book
from mmgames.puzzles.who_puzzle.manual import PLACES, STANDARD, Manual, right_button

NAMES = tuple(f"press_{place}_button" for place in PLACES)


class Panel(NamedTuple):
    """The word on the display ("" if it is empty); in the order of PLACES the labels, and what pressing them was."""

    display: str
    labels: tuple[str, ...]
    marks: tuple[str, ...] = ("",) * len(PLACES)  # "wrong", "right" or "" for not pressed
    manual: Manual | None = STANDARD

    @property
    def right_button(self) -> int:
        assert self.manual is not None, "only who has the manual knows"
        return right_button(self.display, self.labels, self.manual)


class WhoPuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES
    start_fields: ClassVar = {"display": str, "labels": list}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Panel:
        display = manual.displays[int(rng.integers(len(manual.displays)))]
        drawn = rng.permutation(len(manual.labels))[: len(PLACES)]
        return Panel(display, tuple(manual.labels[i] for i in drawn), manual=manual)

    def effort(self, device: Panel) -> float:
        """The words to read of the list that decides."""
        assert device.manual is not None
        return len(book.deciding_words(device.display, device.labels, device.manual))

    def for_all_the_solver_knows(self, device: Panel, rng: np.random.Generator) -> Panel:
        for _ in range(TRIES if self.shuffles else 0):
            other = device._replace(manual=book.shuffled(rng, device.display, device.labels))
            if device.marks[other.right_button] == ("right" if self.solved(device) else ""):
                return other
        return device

    def device_from(self, start: Mapping[str, Any]) -> Panel:
        found = taken(start, **self.start_fields)
        known([found["display"]], STANDARD.displays, "word of the display")
        known(found["labels"], STANDARD.labels, "label")
        demand(len(set(found["labels"])) == len(found["labels"]) == len(PLACES), f"{len(PLACES)} labels differ")
        return Panel(**found)

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"display": facts["display_text"], "labels": facts["button_texts"]}

    def situation(self, device: Panel) -> Any:
        return device._replace(marks=())

    def do(self, device: Panel, name: str, rng: np.random.Generator) -> Outcome:
        button = NAMES.index(name)
        mark = "right" if button == device.right_button else "wrong"
        marks = (*device.marks[:button], mark, *device.marks[button + 1 :])
        return Outcome(device._replace(marks=marks), mark == "wrong")

    def solved(self, device: Panel) -> bool:
        return "right" in device.marks
