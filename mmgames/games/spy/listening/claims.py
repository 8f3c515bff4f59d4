"""The language of claims: what a clue says of a picture, in the few forms that a picture can be asked about.

A `World` is a picture as numbered things; a set of things is a number whose bits are the things in it. A selection
names a set in any world (`pick`), a claim holds in a world or does not (`holds`). Nothing here knows English.
"""

import operator
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Selection = tuple[Any, ...]
Claim = tuple[Any, ...]
Everything = namedtuple("Everything", "")
Has = namedtuple("Has", "dimension values")  # one of the values: red ones, red or blue ones
At = namedtuple("At", "place")
AllOf = namedtuple("AllOf", "sets")
OneOf = namedtuple("OneOf", "sets")
Without = namedtuple("Without", "whole part others", defaults=[False])  # `others`: all else, if nothing is left
Best = namedtuple("Best", "key sign of rank number", defaults=[1, 1])  # the most (1) or least (-1) of a key, with ties
Related = namedtuple("Related", "relation anchor least", defaults=[1])  # stands so to as many of the anchor; 0: to all
Measured = namedtuple("Measured", "relation number anchor factor", defaults=[None, 1])  # a value, or so much more than

Count = namedtuple("Count", "what relation number")  # how many things
Compare = namedtuple("Compare", "one relation other factor more", defaults=[1, 0])  # how much, beside a set or none
Share = namedtuple("Share", "part whole relation fraction")  # all (1), none (0) or most of a set are in another
Kinds = namedtuple("Kinds", "what dimension relation number")  # how many colours; None: as many as things
Order = namedtuple("Order", "key sign sets among")  # sets follow each other in the order of a key
Commonest = namedtuple("Commonest", "dimension value sign")  # more (1) or less (-1) frequent than any other value

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
}
"""How one number can stand to another; "~<" is "almost"."""


class World:
    """A picture, as far as claims can ask about it. It may have no places, and nothing that stands beside another."""

    size: int

    def has(self, dimension: str, value: str) -> int:
        raise NotImplementedError

    def key(self, name: str) -> Sequence[Any]:
        raise NotImplementedError

    def at(self, place: str) -> int:
        return 0

    def amount(self, chosen: int) -> float:
        return chosen.bit_count()

    def related(self, relation: str, one: int, other: int) -> bool:
        return False


def members(chosen: int) -> Iterator[int]:
    """The numbers of the things in a set."""
    while chosen:
        yield (chosen & -chosen).bit_length() - 1
        chosen &= chosen - 1


def pick(world: World, selection: Selection) -> int:
    """The set that a selection names in a world."""
    full, found = (1 << world.size) - 1, 0
    match selection:
        case Everything():
            return full
        case Has(dimension, values):
            for value in values:
                found |= world.has(dimension, value)
        case At(place):
            return world.at(place)
        case AllOf(sets):
            for each in sets:
                full &= pick(world, each)
            return full
        case OneOf(sets):
            for each in sets:
                found |= pick(world, each)
        case Without(whole, part, others):
            out = pick(world, part)
            left = pick(world, whole) & ~out
            return left or full & ~out if others else left
        case Best(key, sign, of, rank, number):
            chosen, values = list(members(pick(world, of))), world.key(key)
            ranked = sorted((values[each] for each in chosen), reverse=sign > 0)[rank - 1 : rank - 1 + number]
            return sum(1 << each for each in chosen if values[each] in ranked)
        case Related(_, anchor, least):
            others = pick(world, anchor)
            for each in range(world.size):
                rest = list(members(others & ~(1 << each)))
                found |= _stands(world, selection, each, rest, least or max(1, len(rest))) << each
        case Measured(relation, number, anchor, factor):
            values = world.key("value")
            others = None if anchor is None else pick(world, anchor)
            for each in range(world.size):
                bounds = [number]
                if others is not None:
                    bounds = [factor * values[other] + number for other in members(others & ~(1 << each))]
                fits = bool(bounds) and all(OPERATORS[relation](values[each], bound) for bound in bounds)
                found |= fits << each
    return found


def _stands(world: World, related: Selection, one: int, rest: list[int], least: int) -> bool:
    way, _, dimension = related[0].partition(" ")
    if way == "between":
        sides = [{world.related(side, other, one) for other in rest} for side in ("left", "right")]
        return all(True in side for side in sides)
    if way in ("same", "different"):
        values = world.key(dimension)
        return sum((values[one] == values[other]) == (way == "same") for other in rest) >= least
    return sum(world.related(related[0], one, other) for other in rest) >= least


def holds(world: World, claim: Claim) -> bool:
    """Whether a claim is true of a world. Nothing is said truly of what is not there."""
    match claim:
        case Count(what, relation, number):
            return OPERATORS[relation](pick(world, what).bit_count(), number)
        case Compare(one, relation, other, factor, more):
            beside = 0 if other is None else world.amount(pick(world, other))
            chosen = pick(world, one)
            return OPERATORS[relation](world.amount(chosen), factor * beside + more) and bool(chosen or other)
        case Share(part, whole, relation, fraction):
            all_of_it = pick(world, whole)
            share = (all_of_it & pick(world, part)).bit_count() / (all_of_it.bit_count() or 1)
            return bool(all_of_it) and OPERATORS[relation](share, fraction)
        case Kinds(what, dimension, relation, number):
            chosen = pick(world, what)
            found = len({world.key(dimension)[each] for each in members(chosen)})
            return bool(chosen) and OPERATORS[relation](found, chosen.bit_count() if number is None else number)
        case Order(key, sign, sets, among):
            values = world.key(key)
            ranked = iter(sorted(members(pick(world, among)), key=lambda each: -sign * values[each]))
            return all(any(wanted >> each & 1 for each in ranked) for wanted in (pick(world, each) for each in sets))
        case Commonest(dimension, value, sign):
            own = world.has(dimension, value)
            rest = [each for i, each in enumerate(world.key(dimension)) if not own >> i & 1]
            return bool(own) and all(sign * own.bit_count() > sign * rest.count(each) for each in rest)
    return True
