"""Simple things of a scene, and groups of them: which ones words name, whatever the scene."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mmgames.games.spy.listening.vocabulary import ORDINALS


class Thing(NamedTuple):
    place: int  # from the left
    size: str
    colour: str
    material: str
    shape: str
    across: float
    down: float
    depth: int  # how many things are nearer

    def has(self, attribute: str, value: str) -> bool:
        return bool(getattr(self, attribute) == value)


Things = tuple[Thing, ...]
Group = Callable[[Things], Things]
"""Those of a scene's things that words name."""
Claim = Callable[[Things], bool]
Test = Callable[[Thing], bool]


def things_of(record: Mapping[str, Any]) -> Things:
    found = record["objects"]
    eye = record["camera"]
    far = [sum((a - b) ** 2 for a, b in zip((each["x"], each["y"]), eye[:2], strict=True)) for each in found]
    return tuple(
        Thing(
            place, each["size"], each["colour"], each["material"], each["shape"], each["picture_x"], each["picture_y"],
            sum(other < far[place] for other in far),
        )
        for place, each in enumerate(found)
    )  # fmt: skip


def everything(things: Things) -> Things:
    return things


def only_with(base: Group, tests: Sequence[Test]) -> Group:
    """Those of a group that pass all tests."""
    if not tests:
        return base
    return lambda things: tuple(thing for thing in base(things) if all(test(thing) for test in tests))


def common(one: Group, other: Group) -> Group:
    """The things that are in both groups."""

    def chosen(things: Things) -> Things:
        kept = other(things)
        return tuple(thing for thing in one(things) if thing in kept)

    return chosen


def without(base: Group, *others: Group) -> Group:
    def left(things: Things) -> Things:
        taken = {thing for other in others for thing in other(things)}
        return tuple(thing for thing in base(things) if thing not in taken)

    return left


def union(*groups: Group) -> Group:
    def joined(things: Things) -> Things:
        chosen = {thing for group in groups for thing in group(things)}
        return tuple(thing for thing in things if thing in chosen)

    return joined


def one_of(choices: tuple[tuple[str, str], ...], denied: bool = False) -> Test:
    """Whether a thing has one of these attributes, or none of them."""
    return lambda thing: any(thing.has(*choice) for choice in choices) != denied


def zone(name: str) -> Test:
    """Whether a thing is at a named part of the picture, generously."""
    return _ZONES.get(name, lambda thing: True)


_FRONT: Test = lambda thing: thing.depth < 3 or thing.down > 0.5  # noqa: E731
_BACK: Test = lambda thing: thing.depth > 1 or thing.down < 0.5  # noqa: E731
_ZONES: dict[str, Test] = {
    "left": lambda thing: thing.across < 0.55,
    "right": lambda thing: thing.across > 0.45,
    "middle": lambda thing: 0.25 < thing.across < 0.75,
    **dict.fromkeys(("front", "foreground", "lower", "bottom"), _FRONT),
    **dict.fromkeys(("back", "rear", "background", "upper", "top"), _BACK),
}


def ordered(base: Group, mark: str, value: str, number: int | None = None) -> Group:
    """Those of a group that are the leftmost, the second from the left, the nearest, the largest."""
    return lambda things: _ordered(base(things), things, mark, value, number)


def _ordered(pool: Things, things: Things, mark: str, value: str, number: int | None) -> Things:
    if mark == "ord":
        rank, _, side = value.partition("_")
        if rank == "middle":
            return tuple(thing for thing in pool if abs(2 * thing.place + 1 - len(things)) < 2)
        place = 0 if rank == "last" else ORDINALS[rank] - 1
        reach = number if number is not None and rank in ("first", "last") else 1
        chosen = range(place, place + reach)
        if side in ("front", "back"):
            return tuple(
                thing for thing in pool if (thing.depth if side == "front" else len(things) - 1 - thing.depth) in chosen
            )
        return tuple(
            thing for thing in pool if (thing.place if side == "left" else len(things) - 1 - thing.place) in chosen
        )
    if mark == "far":
        return tuple(thing for thing in pool if thing in _extreme(things, value))
    if not pool:
        return ()
    if value in ("small", "large"):
        return tuple(thing for thing in pool if thing.size == value) or pool
    across = value in ("left", "right")
    ranked = sorted(pool, key=lambda thing: thing.place if across else thing.depth, reverse=value in ("right", "back"))
    return tuple(ranked[: number or 1])


def _extreme(things: Things, value: str) -> Things:
    if value in ("left", "right", "ends", "end"):
        return {"left": things[:1], "right": things[-1:]}.get(value, (*things[:1], *things[-1:]))
    pick = min if value in ("front", "foreground") else max
    return (pick(things, key=lambda thing: thing.depth),) if things else ()


RELATIONS: dict[str, Callable[[Thing, Thing], bool]] = {
    "left": lambda one, other: one.place < other.place,
    "right": lambda one, other: one.place > other.place,
    "front": lambda one, other: one.depth < other.depth,
    "behind": lambda one, other: one.depth > other.depth,
    "near": lambda one, other: abs(one.across - other.across) + abs(one.down - other.down) < 0.45,
    "nextleft": lambda one, other: one.place == other.place - 1,
    "nextright": lambda one, other: one.place == other.place + 1,
    "larger": lambda one, other: (one.size, other.size) == ("large", "small"),
    "smaller": lambda one, other: (one.size, other.size) == ("small", "large"),
    "alike": lambda one, other: one.size == other.size,
}


def related(base: Group, relation: str, other: Group, every: bool = False, least: int = 1) -> Group:
    """Those of a group that stand so to things of another: to one, to several, to every one of them."""

    def held(things: Things) -> Things:
        others = other(things)
        if relation == "between":
            return tuple(
                one
                for one in base(things)
                if any(e.place < one.place for e in others) and any(e.place > one.place for e in others)
            )
        test = RELATIONS[relation]

        def enough(one: Thing) -> bool:
            rest = [each for each in others if each != one]
            fine = sum(test(one, each) for each in rest)
            return bool(rest) and (fine == len(rest) if every else fine >= least)

        return tuple(one for one in base(things) if enough(one))

    return held


COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "": operator.eq,
    "==": operator.eq,
    "even": lambda one, other: one % 2 == 0,
    "odd": lambda one, other: one % 2 == 1,
}


def count_is(group: Group, op: str, number: int) -> Claim:
    """That a group has so many things, or at least, or more."""
    compare = COMPARE[op]
    return lambda things: compare(len(group(things)), number)


def some(group: Group) -> Claim:
    return lambda things: bool(group(things))


def none(group: Group) -> Claim:
    return lambda things: not group(things)


def kinds_in(group: Group, attribute: str) -> Callable[[Things], int]:
    """How many colours, or shapes, a group has."""
    return lambda things: len({getattr(thing, attribute) for thing in group(things)})
