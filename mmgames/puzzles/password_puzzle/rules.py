"""PasswordPuzzle: turn five wheels of three letters until they spell a word of the manual, and submit it."""

from collections.abc import Mapping
from string import ascii_lowercase as LETTERS
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.password_puzzle import manual as book
from mmgames.puzzles.password_puzzle.manual import STANDARD, WHEELS, WORDS, Manual, within_reach

UP = tuple(f"up_button_{wheel}" for wheel in range(1, WHEELS + 1))
DOWN = tuple(f"down_button_{wheel}" for wheel in range(1, WHEELS + 1))
SUBMIT = "submit"
NAMES = (*UP, *DOWN, SUBMIT)


class Lock(NamedTuple):
    """The letters that are seen, the three of every wheel, and the password.

    What has been seen of each wheel and which words were wrong is for the solver to remember; its view of the lock
    has only the letters and whether it is open.
    """

    letters: str
    wheels: tuple[str, ...]
    password: str
    open: bool = False
    seen: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    manual: Manual | None = STANDARD


class PasswordPuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES
    released_order = (*(name for pair in zip(UP, DOWN, strict=True) for name in pair), SUBMIT)  # wheel by wheel
    start_fields: ClassVar = {"letters": str, "wheels": list, "password": str}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Lock:
        while True:
            password = manual[int(rng.integers(len(manual)))]
            wheels = tuple(_wheel(letter, 1 if self.released else int(rng.integers(3))) for letter in password)
            # As published, a second word may be within reach; only the drawn one opens the lock.
            if self.released or len(within_reach(wheels, manual)) == 1:
                letters = "".join(wheel[i] for wheel, i in zip(wheels, rng.integers(3, size=WHEELS), strict=True))
                return Lock(letters, wheels, password, seen=tuple(letters), manual=manual)

    def effort(self, device: Lock) -> float:
        """The wheels to turn, and the other words that all wheels but one can spell."""
        assert device.manual is not None
        turned = sum(letter != right for letter, right in zip(device.letters, device.password, strict=True))
        fits = (sum(map(str.__contains__, device.wheels, word)) for word in device.manual)
        return turned + sum(wheels == WHEELS - 1 for wheels in fits)

    def for_all_the_solver_knows(self, device: Lock, rng: np.random.Generator) -> Lock:
        assert device.manual is not None
        words = [word for word in (WORDS if self.shuffles else device.manual) if self._possible(word, device)]
        for _ in range(TRIES):
            password = words[int(rng.integers(len(words)))]
            manual = book.shuffled(rng, password) if self.shuffles else device.manual
            wheels = tuple(
                _choose(self._wheels(letter, seen), rng) for letter, seen in zip(password, device.seen, strict=True)
            )
            if self.released or len(within_reach(wheels, manual)) == 1:
                return device._replace(wheels=wheels, password=password, manual=manual)
        return device

    def _possible(self, word: str, device: Lock) -> bool:
        """Whether a word may be the password, after all that has happened."""
        if device.open:
            return word == device.letters
        return word not in device.wrong and all(map(self._wheels, word, device.seen))

    def _wheels(self, letter: str, seen: str) -> list[str]:
        """The wheels that may have this letter of the password, if these of their letters have been seen."""
        wheels = [_wheel(letter, place) for place in ((1,) if self.released else range(3))]
        return [wheel for wheel in wheels if set(seen) <= set(wheel)]

    def shown(self, device: Lock) -> Lock:
        return Lock(device.letters, (), "", device.open, manual=None)

    def device_from(self, start: Mapping[str, Any]) -> Lock:
        found = taken(start, **self.start_fields)
        known([found["password"]], STANDARD, "word of the manual")
        fits = zip(found["wheels"], found["letters"], found["password"], strict=False)
        demand(
            len(found["wheels"]) == len(found["letters"]) == WHEELS
            and all(letter in wheel and right in wheel for wheel, letter, right in fits),
            "every wheel must have the letter that is seen and the password's",
        )
        return Lock(**found, seen=tuple(found["letters"]))

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        demand(set(facts["possible_words"]) == set(STANDARD), "its possible_words are not those of the manual")
        wheels = [_wheel(letter, 1) for letter in facts["answer_word"]]
        return {"letters": "".join(facts["current_letters"]), "wheels": wheels, "password": facts["answer_word"]}

    def do(self, device: Lock, name: str, rng: np.random.Generator) -> Outcome:
        if name == SUBMIT:
            if device.letters == device.password:
                return Outcome(device._replace(open=True))
            wrong = (*device.wrong, device.letters) if device.letters not in device.wrong else device.wrong
            return Outcome(device._replace(wrong=wrong), True)
        turn, number = (1, UP.index(name)) if name in UP else (-1, DOWN.index(name))
        wheel = device.wheels[number]
        letter = wheel[(wheel.index(device.letters[number]) + turn) % len(wheel)]
        letters = f"{device.letters[:number]}{letter}{device.letters[number + 1 :]}"
        pairs = zip(device.seen, letters, strict=True)
        seen = tuple(known if new in known else known + new for known, new in pairs)
        return Outcome(device._replace(letters=letters, seen=seen))

    def solved(self, device: Lock) -> bool:
        return device.open


def _wheel(letter: str, place: int) -> str:
    """Three letters in a row of the alphabet, the given one at a place from 0 to 2."""
    first = LETTERS.index(letter) - place
    return "".join(LETTERS[(first + i) % len(LETTERS)] for i in range(3))


def _choose(options: list[str], rng: np.random.Generator) -> str:
    return options[int(rng.integers(len(options)))]
