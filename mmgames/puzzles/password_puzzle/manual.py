"""Manuals of the letter wheels: a list of words, one of which is the password.

The standard list is in lists.json, with more words for shuffled manuals.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

WHEELS = 5

_LISTS = json.loads(Path(__file__).with_name("lists.json").read_text(encoding="utf-8"))

Manual = tuple[str, ...]
"""The words in alphabetical order."""
STANDARD: Manual = tuple(_LISTS["standard"])
WORDS: Manual = tuple(sorted({*STANDARD, *_LISTS["more"]}))
"""Every word that a shuffled manual may have."""


def shuffled(rng: np.random.Generator, needed: str = "") -> Manual:
    """As many words as in the standard manual; `needed` is one of them."""
    others = [word for word in WORDS if word != needed]
    drawn = [others[i] for i in rng.permutation(len(others))[: len(STANDARD) - bool(needed)]]
    return tuple(sorted([*drawn, needed] if needed else drawn))


def within_reach(wheels: tuple[str, ...], manual: Manual) -> list[str]:
    """The words that can be spelled with wheels that have these letters."""
    return [word for word in manual if all(letter in wheel for letter, wheel in zip(word, wheels, strict=True))]


INTRODUCTION = (
    "The device has five wheels that show a letter each, and a submit button. Every wheel has only three letters, "
    "which follow each other in the alphabet (A follows Z). The button above a wheel turns it to the next letter, the "
    "one below it to the letter before; after the last of the three comes the first again. Turned rightly, the wheels "
    "spell one of the words below, the password, which has to be submitted. The letters that are seen now are at most "
    "two places in the alphabet away from those of the password."
)


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    return f"{INTRODUCTION}\n\nThe words: {', '.join(manual)}."
