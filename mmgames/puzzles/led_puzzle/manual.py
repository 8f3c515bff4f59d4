"""Manuals of the lights: what number each colour stands for. Letters count from A, which is 0, to Z, which is 25."""

from functools import lru_cache
from string import ascii_uppercase as LETTERS

import numpy as np

from mmgames.puzzles._conversation.books import standard
from mmgames.text.prose import paragraphs

COLOURS = ("red", "green", "blue", "yellow", "purple", "orange")
PLACES = ("top_left", "top_right", "bottom_left", "bottom_right")  # the opposite of the first is the last, and so on

Manual = tuple[int, ...]
"""The multiplier of each of the COLOURS."""
STANDARD: Manual = standard(Manual, __package__)
MULTIPLIERS = range(2, 13)
"""What a shuffled manual may use."""


def right_buttons(letters: tuple[str, ...], multiplier: int) -> tuple[int, ...]:
    """The buttons whose letter, multiplied, is the letter diagonally opposite, by their number in PLACES."""
    numbers = [LETTERS.index(letter) for letter in letters]
    return tuple(at for at in range(4) if numbers[at] * multiplier % len(LETTERS) == numbers[3 - at])


def multiplier(colour: str, manual: Manual) -> int:
    return manual[COLOURS.index(colour)]


def shuffled(rng: np.random.Generator) -> Manual:
    return tuple(MULTIPLIERS[i] for i in rng.permutation(len(MULTIPLIERS))[: len(COLOURS)])


INTRODUCTION = paragraphs(__package__, "words")["introduction"]
METHOD = paragraphs(__package__, "words")["method"]


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    lights = "\n".join(f"- {colour}: {number}" for colour, number in zip(COLOURS, manual, strict=True))
    letters = " ".join(f"{letter}={number}" for number, letter in enumerate(LETTERS))
    return f"{INTRODUCTION}\n\nThe lights:\n{lights}\n\nThe letters:\n{letters}\n\n{METHOD}"
