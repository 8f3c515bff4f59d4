"""Manuals of the talking panel: which label to read for the word on the display, and a list of words for each."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import kept, standard
from mmgames.text.prose import paragraphs

PLACES = ("top_left", "top_right", "middle_left", "middle_right", "bottom_left", "bottom_right")
FAMILIES = 2
"""The labels come in two families of the same size; a label's list has the words of its own family."""


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


STANDARD: Manual = standard(Manual, __package__)
_MORE = kept(__package__, "more_words")
DISPLAYS = (*STANDARD.displays, *_MORE["displays"])
LABELS = (*STANDARD.labels, *_MORE["labels"])
"""Every word a display or a button may show, with any manual."""


def deciding_words(display: str, labels: Sequence[str], manual: Manual) -> tuple[str, ...]:
    """The list to read, from its top to the word that is on a button."""
    place = next(number for number, words in enumerate(manual.read) if display in words)
    words = next(words for label, words in manual.orders if label == labels[place])
    return words[: 1 + next(at for at, word in enumerate(words) if word in labels)]


def right_button(display: str, labels: Sequence[str], manual: Manual = STANDARD) -> int:
    """The number of the button to press, in the order of PLACES."""
    return labels.index(deciding_words(display, labels, manual)[-1])


def shuffled(rng: np.random.Generator, display: str | None = None, labels: Sequence[str] = ()) -> Manual:
    """A manual as large as the standard one with words drawn anew; those of a given device are among them."""
    words = _draw(DISPLAYS, len(STANDARD.displays), () if display is None else (display,), rng)
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
    said = paragraphs(__package__, "words")
    return "\n".join((f"{said['introduction']}\n\n{said['step 1']}", *reading, f"\n{said['step 2']}", *lists))
