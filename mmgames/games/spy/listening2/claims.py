"""The language of claims: what a clue says of a picture, in the few forms that a picture can be asked about.

A `World` is a picture as a list of things; sets of things are the bits of a number. A `Selection` names a set in any
world, a `Claim` holds in a world or does not. Nothing here knows English, scenes, charts or boards.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "==": lambda one, other: abs(one - other) < 1e-6,
    "!=": lambda one, other: abs(one - other) >= 1e-6,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "even": lambda one, other: one % 2 == 0,
    "odd": lambda one, other: one % 2 == 1,
    "~": lambda one, other: 0.85 * other <= one <= 1.15 * other,
    "~<": lambda one, other: 0.8 * other <= one < other,
    "~>": lambda one, other: other < one <= 1.25 * other,
}
"""How one number can stand to another; "~<" is "almost", "~>" is "a little over"."""
OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<=": ">", ">": "<=", "<": ">=", "even": "odd", "odd": "even"}


class World(Protocol):
    """A picture, as far as claims can ask about it."""

    @property
    def size(self) -> int: ...
    def has(self, dimension: str, value: str) -> int: ...
    def at(self, place: str) -> int: ...
    def key(self, name: str) -> Sequence[float]: ...
    def amount(self, chosen: int) -> float: ...
    def related(self, relation: str, one: int, other: int) -> bool: ...


def members(chosen: int) -> Iterator[int]:
    """The numbers of the things in a set."""
    while chosen:
        lowest = chosen & -chosen
        yield lowest.bit_length() - 1
        chosen ^= lowest


def kinds(world: World, dimension: str, chosen: int) -> int:
    """How many colours, or shapes, the things of a set have."""
    values = world.key(dimension)
    return len({values[each] for each in members(chosen)})


class Selection:
    """A set of things, in any world."""

    def pick(self, world: World) -> int:
        raise NotImplementedError


@dataclass(frozen=True)
class Everything(Selection):
    def pick(self, world: World) -> int:
        return (1 << world.size) - 1


@dataclass(frozen=True)
class Has(Selection):
    """What has one of the values: red ones, red or blue ones."""

    dimension: str
    values: tuple[str, ...]

    def pick(self, world: World) -> int:
        found = 0
        for value in self.values:
            found |= world.has(self.dimension, value)
        return found


@dataclass(frozen=True)
class At(Selection):
    place: str

    def pick(self, world: World) -> int:
        return world.at(self.place)


@dataclass(frozen=True)
class All(Selection):
    """What is in every one of the sets."""

    parts: tuple[Selection, ...]

    def pick(self, world: World) -> int:
        found = (1 << world.size) - 1
        for part in self.parts:
            found &= part.pick(world)
        return found


@dataclass(frozen=True)
class Any(Selection):
    """What is in one of the sets."""

    parts: tuple[Selection, ...]

    def pick(self, world: World) -> int:
        found = 0
        for part in self.parts:
            found |= part.pick(world)
        return found


@dataclass(frozen=True)
class Without(Selection):
    """What is in a set and not in another; with `others`, where nothing is left, what else the picture has."""

    whole: Selection
    part: Selection
    others: bool = False

    def pick(self, world: World) -> int:
        part = self.part.pick(world)
        left = self.whole.pick(world) & ~part
        return left or ((1 << world.size) - 1) & ~part if self.others else left


@dataclass(frozen=True)
class Best(Selection):
    """The one of a set with the least (sign -1) or most (+1) of a key, from `rank` on as many as `number`, with ties."""

    key: str
    sign: int
    of: Selection
    rank: int = 1
    number: int = 1

    def pick(self, world: World) -> int:
        chosen = list(members(self.of.pick(world)))
        values = world.key(self.key)
        ranked = sorted((values[each] for each in chosen), reverse=self.sign > 0)
        wanted = set(ranked[self.rank - 1 : self.rank - 1 + self.number])
        return sum(1 << each for each in chosen if values[each] in wanted)


@dataclass(frozen=True)
class Related(Selection):
    """What stands so to things of another set: to `least` of them, or to every one (`least` 0)."""

    relation: str
    anchor: Selection
    least: int = 1

    def pick(self, world: World) -> int:
        others = list(members(self.anchor.pick(world)))
        found = 0
        for each in range(world.size):
            rest = [other for other in others if other != each]
            if self.relation == "between":
                fits = any(world.related("left", other, each) for other in rest)
                fits = fits and any(world.related("right", other, each) for other in rest)
            else:
                held = sum(self._stands(world, each, other) for other in rest)
                fits = held >= (self.least or max(1, len(rest)))
            found |= fits << each
        return found


    def _stands(self, world: World, one: int, other: int) -> bool:
        way, _, dimension = self.relation.partition(" ")
        if way not in ("same", "different"):
            return world.related(self.relation, one, other)
        values = world.key(dimension)
        return (values[one] == values[other]) == (way == "same")


@dataclass(frozen=True)
class Measured(Selection):
    """What has so much: a value that stands to a number, or to so many times the anchor's and so much more."""

    relation: str
    number: float
    anchor: Selection | None = None
    factor: float = 1

    def pick(self, world: World) -> int:
        compare = OPERATORS[self.relation]
        values = world.key("value")
        if self.anchor is None:
            return sum(1 << each for each in range(world.size) if compare(values[each], self.number))
        others = list(members(self.anchor.pick(world)))
        found = 0
        for each in range(world.size):
            rest = [self.factor * values[other] + self.number for other in others if other != each]
            found |= (bool(rest) and all(compare(values[each], other) for other in rest)) << each
        return found


class Claim:
    """Something that is true or false of a world."""

    def holds(self, world: World) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Count(Claim):
    """How many: the number of things in a set."""

    what: Selection
    relation: str
    number: float

    def holds(self, world: World) -> bool:
        return OPERATORS[self.relation](self.what.pick(world).bit_count(), self.number)


@dataclass(frozen=True)
class Amount(Claim):
    """How much: what the things of a set come to."""

    what: Selection
    relation: str
    number: float

    def holds(self, world: World) -> bool:
        chosen = self.what.pick(world)
        return bool(chosen) and OPERATORS[self.relation](world.amount(chosen), self.number)


@dataclass(frozen=True)
class Share(Claim):
    """What part of a set is in another: all (1), none (0), half, most. Nothing is said truly of an empty set."""

    part: Selection
    whole: Selection
    relation: str
    fraction: float

    def holds(self, world: World) -> bool:
        whole = self.whole.pick(world)
        if not whole:
            return self.relation == "==" and self.fraction == 0
        return OPERATORS[self.relation]((whole & self.part.pick(world)).bit_count() / whole.bit_count(), self.fraction)


@dataclass(frozen=True)
class Compare(Claim):
    """How much of one set there is beside another: more, as much, twice as much, two more."""

    one: Selection
    relation: str
    other: Selection
    factor: float = 1
    more: float = 0

    def holds(self, world: World) -> bool:
        other = self.factor * world.amount(self.other.pick(world)) + self.more
        return OPERATORS[self.relation](world.amount(self.one.pick(world)), other)


@dataclass(frozen=True)
class Kinds(Claim):
    """How many colours, or shapes, a set has; as many as things, where no number is given."""

    what: Selection
    dimension: str
    relation: str
    number: int | None

    def holds(self, world: World) -> bool:
        chosen = self.what.pick(world)
        number = chosen.bit_count() if self.number is None else self.number
        return bool(chosen) and OPERATORS[self.relation](kinds(world, self.dimension, chosen), number)


@dataclass(frozen=True)
class Order(Claim):
    """Sets in the order of a key: each named thing behind the one before, all of `among` if they are as many."""

    key: str
    sign: int
    sets: tuple[Selection, ...]
    among: Selection
    start: bool = False

    def holds(self, world: World) -> bool:
        values = world.key(self.key)
        ranked = sorted(members(self.among.pick(world)), key=lambda each: -self.sign * values[each])
        wanted = [each.pick(world) for each in self.sets]
        if self.start or len(wanted) == len(ranked):
            return len(wanted) <= len(ranked) and all(
                want >> each & 1 for want, each in zip(wanted, ranked, strict=False)
            )
        place = 0
        for want in wanted:
            while place < len(ranked) and not want >> ranked[place] & 1:
                place += 1
            place += 1
        return place <= len(ranked)


@dataclass(frozen=True)
class Commonest(Claim):
    """That a value, such as red, is the most (sign 1) or least frequent of its dimension."""

    dimension: str
    value: str
    sign: int

    def holds(self, world: World) -> bool:
        values = list(world.key(self.dimension))
        counts = {value: values.count(value) for value in values}
        own = world.has(self.dimension, self.value).bit_count()
        return bool(own) and all(
            self.sign * own >= self.sign * count + (own == count and len(counts) > 1 and self._other(world, each))
            for each, count in counts.items()
        )

    def _other(self, world: World, value: float) -> bool:
        own = world.has(self.dimension, self.value)
        return world.key(self.dimension)[next(members(own))] != value


@dataclass(frozen=True)
class Denied(Claim):
    claims: tuple[Claim, ...]

    def holds(self, world: World) -> bool:
        return not all(claim.holds(world) for claim in self.claims)
