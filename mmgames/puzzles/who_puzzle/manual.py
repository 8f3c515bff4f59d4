"""Manuals of the talking panel: where to read a label for the word on the display, and a list of words for each label.

The standard tables are in tables.json, with more words for shuffled manuals.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

PLACES = ("top_left", "top_right", "middle_left", "middle_right", "bottom_left", "bottom_right")
FAMILIES = 2
"""The labels come in two families of the same size; a label's list has the words of its own family."""

_TABLES = json.loads(Path(__file__).with_name("tables.json").read_text(encoding="utf-8"))


class Manual(NamedTuple):
    """For each place the words on the display that point to it; for each label its list of words."""

    read: tuple[tuple[str, ...], ...]  # in the order of PLACES
    orders: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def displays(self) -> tuple[str, ...]:
        return tuple(word for words in self.read for word in words)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for label, _ in self.orders)


STANDARD = Manual(
    tuple(tuple(_TABLES["read"][place]) for place in PLACES),
    tuple((label, tuple(words)) for label, words in _TABLES["orders"].items()),
)
DISPLAYS = (*STANDARD.displays, *_TABLES["more displays"])
LABELS = (*STANDARD.labels, *_TABLES["more labels"])
"""Every word a display or a button may show, with any manual."""


def right_button(display: str, labels: Sequence[str], manual: Manual = STANDARD) -> int:
    """The number of the button to press, in the order of PLACES."""
    place = next(number for number, words in enumerate(manual.read) if display in words)
    words = next(words for label, words in manual.orders if label == labels[place])
    return next(labels.index(word) for word in words if word in labels)


def shuffled(rng: np.random.Generator, display: str | None = None, labels: Sequence[str] = ()) -> Manual:
    """A manual as large as the standard one with words drawn anew; those of a given device are among them."""
    known = STANDARD.displays
    words = _draw(DISPLAYS, len(known), () if display is None else (display,), rng)
    places = rng.integers(len(PLACES), size=len(words)).tolist()
    read = tuple(
        tuple(word for word, at in zip(words, places, strict=True) if at == place) for place in range(len(PLACES))
    )
    names = _draw(LABELS, len(STANDARD.orders), labels, rng)
    size = len(names) // FAMILIES
    lists = rng.permuted(np.tile(np.arange(size), (len(names), 1)), axis=1).tolist()
    families = [names[at : at + size] for at in range(0, len(names), size)]
    orders = tuple(
        (name, tuple(map(families[number // size].__getitem__, lists[number]))) for number, name in enumerate(names)
    )
    return Manual(read, orders)


def _draw(pool: Sequence[str], count: int, needed: Sequence[str], rng: np.random.Generator) -> list[str]:
    others = [word for word in pool if word not in needed]
    chosen = [*needed, *(others[i] for i in rng.permutation(len(others))[: count - len(needed)])]
    return [chosen[i] for i in rng.permutation(count)]


def quoted(word: str) -> str:
    return f'"{word}"' if word else "nothing at all (an empty display)"


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    reading = [
        f"- {place.replace('_', ' ')}, if the display shows {', '.join(map(quoted, words))}"
        for place, words in zip(PLACES, manual.read, strict=True)
        if words
    ]
    lists = [f"- {quoted(label)}: {', '.join(map(quoted, words))}" for label, words in manual.orders]
    return (
        "The panel has a display, mostly with a word on it, and six buttons with different labels in three rows of "
        "two. Many words sound alike, so have them spelled or quoted. One button must be pressed; find it in two "
        "steps.\n\nStep 1. The display says which button's label you have to know, the one at the\n"
        + "\n".join(reading)
        + "\n\nStep 2. Look that label up. The first word of its list that is the label of any of the six buttons is "
        "on the button to press; it may be the same button.\n" + "\n".join(lists)
    )
