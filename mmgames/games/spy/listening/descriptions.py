"""What a noun phrase about simple things says: which things it names, and how many there are said to be."""

from __future__ import annotations

from typing import NamedTuple

from mmgames.games.spy.listening.things import Claim, Group, Test, common, count_is, only_with, ordered, some, union


class Phrase(NamedTuple):
    """A noun phrase: the group of things it names, and how many there are said to be."""

    group: Group
    quant: str = ""  # all, both, none, half, most, any
    op: str = ""
    number: int | None = None
    article: str = ""  # the, a
    only: bool = False
    rest: bool = False  # "the others"
    plural: bool = False
    head: str = ""  # thing, one, or a shape
    kinds: frozenset[str] = frozenset()  # the attributes that it names
    placed: bool = False  # it says where
    part: Group | None = None  # whose part they are
    choices: tuple[Group, ...] = ()  # "red, blue and gray": one by one
    but: Phrase | None = None  # "all but one"
    denied: bool = False

    @property
    def bare(self) -> bool:
        """It says nothing of its own: "one", "both"."""
        return not (self.kinds or self.placed or self.head or self.rest or self.part)

    @property
    def general(self) -> bool:
        """It fits every thing: "some objects"."""
        return not (self.kinds or self.placed or self.rest or self.part)

    @property
    def shaped(self) -> bool:
        return "shape" in self.kinds

    @property
    def several(self) -> bool:
        return self.plural or self.quant in ("both", "all") or (self.number or 1) > 1

    def counted(self, group: Group) -> Claim:
        """That a group has as many things as this phrase says."""
        return some(group) if self.number is None else count_is(group, self.op, self.number)


class Description:
    """The adjectives, the noun and what follows it, as far as they are read."""

    def __init__(self) -> None:
        self.tests: list[tuple[str, Test]] = []
        self.order: list[tuple[str, str]] = []
        self.choices: list[Test] = []
        self.choice = ""  # the attribute that the choices are of
        self.head = ""
        self.plural = self.placed = self.numbered = False
        self.definite = self.shared = False  # "the cubes", "all cubes"

    @property
    def kinds(self) -> set[str]:
        return {name for name, _ in self.tests if name} | ({self.choice} if self.choice else set())

    @property
    def begun(self) -> bool:
        return bool(self.tests or self.order or self.head or self.choices)

    def group(self, base: Group, number: int | None) -> tuple[Group, tuple[Group, ...]]:
        plain = only_with(base, [test for _, test in self.tests])
        choices = tuple(only_with(plain, [test]) for test in self.choices)
        chosen = union(*choices) if choices else plain
        for mark, value in self.order:
            chosen = ordered(chosen, mark, value, number)
        return chosen, choices


def within(phrase: Phrase, base: Group) -> Phrase:
    """A phrase that chooses from a group."""
    return phrase._replace(group=common(phrase.group, base))
