"""What can be said of a picture in a closed set of forms: what a thing is, and how many things there are.

A words room may tell both with `facts(view)`; statements of agents are held against them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Fact(NamedTuple):
    """A thing by all its names, what it is, and every way to say what such a thing can be.

    Names leave out articles: `second wire`. Of a thing that is somebody's, `owners` are the owner's names, one of which
    a statement about it has to hold.
    """

    names: tuple[str, ...]
    value: str
    values: Mapping[str, str]
    owners: tuple[str, ...] = ()


class Count(NamedTuple):
    """How many things of a name, in the plural, there are."""

    things: str
    number: int


def same(values: Iterable[str]) -> dict[str, str]:
    """Values that are said in one way each."""
    return {value: value for value in values}


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def numbered(thing: str, values: Iterable[str], possible: Iterable[str]) -> list[Fact]:
    """Facts about things in a row: `wire 2` is also the `second wire`."""
    ways = same(possible)
    return [
        Fact((f"{thing} {number}", f"{ordinal} {thing}"), value, ways)
        for (number, ordinal), value in zip(enumerate(ORDINALS, 1), values, strict=False)
    ]
