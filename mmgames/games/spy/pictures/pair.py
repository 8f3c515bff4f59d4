"""What a source of pictures gives: pairs of scenes that differ a little, with the facts about each and the changes.

A scene is a value that knows how to draw itself at any size, so that a game can keep it in its state, compare it and
draw it only when somebody looks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

ASPECT = 0.75
"""Height over width of every picture; `size` is the width."""


class Fact(NamedTuple):
    """Something that is true of a picture and can be said in a sentence.

    Two scenes of one source that both have the topic disagree about it if the values differ.
    """

    topic: str  # "the leftmost object"
    value: str  # "a large red metal cube"

    @property
    def sentence(self) -> str:
        return f"{self.topic[0].upper()}{self.topic[1:]} is {self.value}."


class Change(NamedTuple):
    """One entry of a change log: what about which thing is different in the second picture, and how."""

    thing: str
    what: str
    before: str
    after: str


class PictureScene(Protocol):
    """One picture as a hashable value; equal scenes have equal pixels."""

    def draw(self, size: int) -> np.ndarray:
        """uint8[round(size * ASPECT), size, 3]; whoever gets it may write on it."""
        ...

    def facts(self) -> tuple[Fact, ...]:
        """What can be said about the picture; nothing if nobody knows what it shows."""
        ...

    def record(self) -> Mapping[str, Any]:
        """The whole scene as JSON can hold it."""
        ...


@dataclass(frozen=True)
class Pair:
    """Two pictures that differ in what `changes` lists; `name` tells pairs of one source apart where they have one."""

    original: PictureScene
    changed: PictureScene
    changes: tuple[Change, ...]
    name: str = ""


class PairSource(Protocol):
    """Draws pairs. All chances are settled by `rng`: the same generator gives the same pair on every machine."""

    def pair(self, rng: np.random.Generator) -> Pair: ...

    def vary(self, scene: Any, rng: np.random.Generator) -> Pair | None:
        """A pair whose original is this scene: what who sees it holds possible. None if there is no telling."""
        ...


@dataclass(frozen=True)
class Blank:
    """A picture of nothing."""

    grey: int = 128

    def draw(self, size: int) -> np.ndarray:
        return np.full((round(size * ASPECT), size, 3), self.grey, np.uint8)

    def facts(self) -> tuple[Fact, ...]:
        return ()

    def record(self) -> Mapping[str, Any]:
        return {"blank": True}
