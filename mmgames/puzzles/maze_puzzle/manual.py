"""Manuals of the maze: which sphere to go to, by the colour of the torus."""

from functools import lru_cache

import numpy as np

from mmgames.puzzles._conversation.books import standard
from mmgames.text.prose import paragraphs

COLOURS = ("green", "blue", "red", "yellow")

Manual = tuple[str, ...]
"""The colour of the sphere to go to, for each colour of the torus in the order of COLOURS."""
STANDARD: Manual = standard(Manual, __package__)

INTRODUCTION = paragraphs(__package__, "words")["introduction"]


def shuffled(rng: np.random.Generator) -> Manual:
    """Each torus has a sphere of its own, as in the standard manual."""
    return tuple(COLOURS[i] for i in rng.permutation(len(COLOURS)))


def right_sphere(manual: Manual, torus: str) -> str:
    return manual[COLOURS.index(torus)]


@lru_cache(maxsize=64)
def lists(manual: Manual) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The manual's list: heading and lines."""
    lines = (f"If the torus is {torus}, go to the {right_sphere(manual, torus)} sphere." for torus in COLOURS)
    return (("Which sphere", tuple(lines)),)


@lru_cache(maxsize=64)
def text(manual: Manual) -> str:
    ((_, lines),) = lists(manual)
    return f"{INTRODUCTION}\n\n" + "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
