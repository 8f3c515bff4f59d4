"""LedPuzzle: in every stage, press the button whose letter times the light's number is the letter opposite."""

import json
import zlib
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.led_puzzle import manual as book
from mmgames.puzzles.led_puzzle.manual import COLOURS, LETTERS, PLACES, STANDARD, Manual, multiplier, right_buttons

NAMES = tuple(f"press_{place}_button" for place in PLACES)
FEWEST, MOST = 2, 5
NO_MARKS = (False,) * len(PLACES)


class Press(NamedTuple):
    """A press of the past: the light and the letters it was made under, the button, and whether it was right."""

    light: str
    letters: tuple[str, ...]
    button: int
    right: bool


class Lights(NamedTuple):
    """The lights of all stages, how many stages are done, the letters of this one and its buttons that were wrong."""

    lights: tuple[str, ...]
    letters: tuple[str, ...]
    done: int = 0
    wrong: tuple[bool, ...] = NO_MARKS
    past: tuple[Press, ...] = ()  # the solver knows it from the dialogue
    manual: Manual | None = STANDARD

    @property
    def right_buttons(self) -> tuple[int, ...]:
        """Which buttons are right now; none when it is solved."""
        assert self.manual is not None, "only who has the manual knows"
        if self.done == len(self.lights):
            return ()
        return right_buttons(self.letters, multiplier(self.lights[self.done], self.manual))


class LedPuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES
    released_order = (*NAMES[:2], NAMES[3], NAMES[2])  # clockwise
    start_fields: ClassVar = {"lights": list, "letters": list}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Lights:
        stages = int(rng.integers(FEWEST, MOST + 1))
        lights = tuple(COLOURS[i] for i in rng.integers(len(COLOURS), size=stages))
        return Lights(lights, self._letters(multiplier(lights[0], manual), rng), manual=manual)

    def effort(self, device: Lights) -> float:
        """The stages."""
        return len(device.lights)

    def _letters(self, number: int, rng: np.random.Generator) -> tuple[str, ...]:
        """Letters for a stage. Some may be equal, and more than one button may be right."""
        values = rng.integers(len(LETTERS), size=len(PLACES))
        button = int(rng.integers(len(PLACES)))
        values[3 - button] = values[button] * number % len(LETTERS)
        return tuple(LETTERS[value] for value in values)

    def for_all_the_solver_knows(self, device: Lights, rng: np.random.Generator) -> Lights:
        if not self.shuffles:
            return device
        choices = [
            [number for number in book.MULTIPLIERS if self._possible(colour, number, device)] for colour in COLOURS
        ]
        for _ in range(TRIES):
            drawn = tuple(numbers[int(rng.integers(len(numbers)))] for numbers in choices)
            if len(set(drawn)) == len(drawn):
                return device._replace(manual=drawn)
        return device

    def _possible(self, colour: str, number: int, device: Lights) -> bool:
        """Whether a colour may stand for a number, after all that has happened."""
        now = device.done < len(device.lights) and device.lights[device.done] == colour
        return (not now or bool(right_buttons(device.letters, number))) and all(
            (press.button in right_buttons(press.letters, number)) == press.right
            for press in device.past
            if press.light == colour
        )

    def shown(self, device: Lights) -> Lights:
        return device._replace(manual=None, past=())

    def device_from(self, start: Mapping[str, Any]) -> Lights:
        found = taken(start, **self.start_fields)
        known(found["lights"], COLOURS, "colour of a light")
        known(found["letters"], LETTERS, "letter")
        demand(FEWEST <= len(found["lights"]) <= MOST, f"there are {FEWEST} to {MOST} lights")
        device = Lights(**found)
        demand(len(device.letters) == len(PLACES) and device.right_buttons, "one of four buttons must be right")
        return device

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        """The letters are not in the file; they are drawn once and for all from what is."""
        lights = facts["led_colors"]
        demand(facts["num_stages"] == len(lights), "it has another number of led_colors than num_stages")
        known(lights[:1], COLOURS, "colour of a light")
        rng = np.random.default_rng(zlib.crc32(json.dumps(lights).encode()))
        return {"lights": lights, "letters": list(self._letters(multiplier(lights[0], STANDARD), rng))}

    def situation(self, device: Lights) -> Any:
        return device.done, device.letters

    def do(self, device: Lights, name: str, rng: np.random.Generator) -> Outcome:
        button = NAMES.index(name)
        right = button in device.right_buttons
        past = (*device.past, Press(device.lights[device.done], device.letters, button, right))
        if not right:
            wrong = tuple(was or number == button for number, was in enumerate(device.wrong))
            return Outcome(device._replace(wrong=wrong, past=past), True)
        done = device.done + 1
        letters = device.letters
        if done < len(device.lights):
            assert device.manual is not None
            letters = self._letters(multiplier(device.lights[done], device.manual), rng)
        after = device._replace(letters=letters, done=done, wrong=NO_MARKS, past=past)
        return Outcome(after, note=f"stage {done} done")

    def solved(self, device: Lights) -> bool:
        return device.done == len(device.lights)

    def partial(self, device: Lights) -> float:
        return device.done / len(device.lights)
