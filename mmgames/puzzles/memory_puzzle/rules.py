"""MemoryPuzzle: five stages, each with a digit that says which button to press, often by what was pressed before."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.memory_puzzle import manual as book
from mmgames.puzzles.memory_puzzle.manual import BUTTONS, STAGES, STANDARD, Manual, Press, Rule, right_label

NAMES = tuple(f"press_{label}" for label in range(1, BUTTONS + 1))
RELEASED_LABELS = (3, 1, 2, 4)


class Event(NamedTuple):
    """A press of the past: what was on the device, which earlier presses counted, what was pressed, was it right."""

    display: int
    labels: tuple[int, ...]
    presses: tuple[Press, ...]
    label: int
    right: bool


class MemoryDevice(NamedTuple):
    """The digit on the display, the labels from left to right, and how many stages are done.

    The presses of those stages and all events are for the solver to remember; its view of the board lacks them.
    """

    display: int
    labels: tuple[int, ...]
    done: int = 0
    presses: tuple[Press, ...] = ()
    latest: int = 0  # how many stages were done after the latest right press
    past: tuple[Event, ...] = ()
    manual: Manual | None = STANDARD

    @property
    def right_label(self) -> int:
        assert self.manual is not None, "only who has the manual knows"
        return right_label(self.manual[self.done][self.display - 1], self.labels, self.presses)


class MemoryPuzzle(ManualPuzzle):
    keeps_best = True
    manuals = book
    action_names = NAMES
    start_fields: ClassVar = {"display": int, "labels": list}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> MemoryDevice:
        return self._stage(MemoryDevice(1, RELEASED_LABELS, manual=manual), rng)

    def effort(self, device: MemoryDevice) -> float:
        """How many stages back the press is that decides, 0 if none does."""
        assert device.manual is not None
        rule = device.manual[device.done][device.display - 1]
        return device.done + 1 - rule.stage if rule.stage else 0

    def _stage(self, board: MemoryDevice, rng: np.random.Generator) -> MemoryDevice:
        """The board with a digit and labels drawn for another stage."""

        def draw() -> MemoryDevice:
            display = int(rng.integers(1, BUTTONS + 1))
            labels = RELEASED_LABELS if self.released else tuple(int(i) + 1 for i in rng.permutation(BUTTONS))
            return board._replace(display=display, labels=labels)

        return self.picked(draw, self.effort)

    def for_all_the_solver_knows(self, device: MemoryDevice, rng: np.random.Generator) -> MemoryDevice:
        if not self.shuffles:
            return device
        assert device.manual is not None
        return device._replace(
            manual=tuple(self._another(stage, device.manual[stage], device.past, rng) for stage in range(STAGES))
        )

    def _another(
        self, stage: int, rules: tuple[Rule, ...], past: tuple[Event, ...], rng: np.random.Generator
    ) -> tuple[Rule, ...]:
        """Other rules for a stage, which would have made the same presses right and wrong."""
        here = [event for event in past if len(event.presses) == stage]
        choices = [
            [
                rule
                for rule in book.possible_rules(stage + 1)
                if all(
                    (right_label(rule, event.labels, event.presses) == event.label) == event.right
                    for event in here
                    if event.display == digit
                )
            ]
            for digit in range(1, BUTTONS + 1)
        ]
        for _ in range(TRIES if all(choices) else 0):
            drawn = tuple(possible[int(rng.integers(len(possible)))] for possible in choices)
            if len(set(drawn)) == BUTTONS:
                return drawn
        return rules

    def shown(self, device: MemoryDevice) -> MemoryDevice:
        return device._replace(presses=(), latest=0, past=(), manual=None)

    def device_from(self, start: Mapping[str, Any]) -> MemoryDevice:
        found = taken(start, **self.start_fields)
        known([found["display"]], range(1, BUTTONS + 1), "digit of the display")
        demand(sorted(found["labels"]) == list(range(1, BUTTONS + 1)), f"labels are 1 to {BUTTONS} in some order")
        return MemoryDevice(**found)

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"display": facts["display_text"], "labels": list(RELEASED_LABELS)}

    def situation(self, device: MemoryDevice) -> Any:
        return len(device.past)  # every press leads on or back to a stage drawn anew

    def do(self, device: MemoryDevice, name: str, rng: np.random.Generator) -> Outcome:
        label = NAMES.index(name) + 1
        right = label == device.right_label
        past = (*device.past, Event(device.display, device.labels, device.presses, label, right))
        if not right:
            again = self._stage(device._replace(done=0, presses=(), past=past), rng)
            return Outcome(again, True, "start again")
        position = device.labels.index(label) + 1
        done = device.done + 1
        after = device._replace(done=done, latest=done, presses=(*device.presses, Press(position, label)), past=past)
        return Outcome(after if done == STAGES else self._stage(after, rng), note=f"stage {done} position {position}")

    def solved(self, device: MemoryDevice) -> bool:
        return device.done == STAGES

    def partial(self, device: MemoryDevice) -> float:
        return (device.latest if self.released else device.done) / STAGES
