"""Manuals of the letter wheels: a list of words, one of which is the password."""

from functools import lru_cache

import numpy as np

from mmgames.puzzles._conversation.books import kept, standard
from mmgames.text.prose import paragraphs

WHEELS = 5

Manual = tuple[str, ...]
"""The words in alphabetical order."""
STANDARD: Manual = standard(Manual, __package__)
WORDS: Manual = tuple(sorted({*STANDARD, *kept(__package__, "more_words")}))
"""Every word that a shuffled manual may have."""


def shuffled(rng: np.random.Generator, needed: str = "") -> Manual:
    """As many words as in the standard manual; `needed` is one of them."""
    others = [word for word in WORDS if word != needed]
    drawn = [others[i] for i in rng.permutation(len(others))[: len(STANDARD) - bool(needed)]]
    return tuple(sorted([*drawn, needed] if needed else drawn))


def within_reach(wheels: tuple[str, ...], manual: Manual) -> list[str]:
    """The words that can be spelled with wheels that have these letters."""
    return [word for word in manual if all(letter in wheel for letter, wheel in zip(word, wheels, strict=True))]


INTRODUCTION = paragraphs(__package__, "words")["introduction"]


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    return f"{INTRODUCTION}\n\nThe words: {', '.join(manual)}."
