"""Noun phrases about simple things: which things of a scene words name, and how many there are said to be."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mmgames.games.spy.listening import vocabulary
from mmgames.games.spy.listening.vocabulary import ORDINALS, PHRASES

Token = tuple[str, Any]
END: Token = ("end", None)
_SIGN = re.compile(r"[a-z_]+(?:'[a-z]+)?|\d+(?:st|nd|rd|th)?|[,;:.!?=()&+—–]")
_MARKS = {"ord", "rel", "at", "far", "sup", "inorder"}
_WORDS = {
    "atleast": ("op", ">="),
    "atmost": ("op", "<="),
    "over": ("op", ">"),
    "under": ("op", "<"),
    "made": ("made", 0),
}
_SURFACE = re.compile(
    r"\b(?:surface|finish|texture|look|sheen|material|colou?r(?:ed)?|coloring|hue|tone|size|sized|appearance|in nature|"
    r"coat(?:ing)?|shade)\b"
)


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


def things_of(record: Mapping[str, Any]) -> tuple[Thing, ...]:
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


@lru_cache(maxsize=2048)
def tokens(sentence: str) -> tuple[Token, ...]:
    """The words of a sentence that mean something here, with what they mean."""
    for pattern, token in PHRASES:
        sentence = pattern.sub(token, sentence)
    found: list[Token] = []
    for sign in _SIGN.findall(sentence):
        mark, _, value = sign.partition("_")
        if mark in _MARKS and value:
            found.append((mark, value))
        elif sign in _WORDS:
            found.append(_WORDS[sign])
        elif _SURFACE.fullmatch(sign):
            found.append(("surface", sign))
        elif sign == "=":
            found.append(("cop", "is"))
        elif not sign[0].isalnum():
            if sign != "," or not found or found[-1][0] != "det":
                found.append(("mark", sign))
        elif (word := vocabulary.known(sign)) is not None:
            found.append(word)
    return _settled(found)


def _settled(found: list[Token]) -> tuple[Token, ...]:
    """ "One" is a number or, behind an attribute, the name of a thing."""
    for i, token in enumerate(found):
        if token != ("num", 1):
            continue
        before, after = found[i - 1] if i else END, found[i + 1] if i + 1 < len(found) else END
        named = before[0] in ("attr", "sup", "rest") or before == ("det", "the") or before[0] == "ord"
        if named and after[0] not in ("attr", "noun", "of"):
            found[i] = ("noun", "thing")
    return tuple(found)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


class Phrase(NamedTuple):
    """A noun phrase: the things it fits, and how many there are said to be."""

    fits: tuple[Thing, ...]
    quant: str = ""  # all, both, none, half, most, any
    op: str = ""
    number: int | None = None
    definite: bool = False
    only: bool = False
    of: tuple[Thing, ...] | None = None  # whose part they are
    shaped: bool = False  # it names a shape
    bare: bool = False  # it says nothing of its own: "one", "both"
    listed: bool = False  # it has an article or a number
    headed: bool = False  # it has a noun
    general: bool = False  # it fits every thing: "some objects"
    vague: bool = False  # it names no colour, shape, size or material, so that it always exists

    def counted(self, count: int) -> bool:
        if self.number is None:
            return count > 0
        if self.op in _COMPARE:
            return _COMPARE[self.op](count, self.number)
        return count == self.number


class PhraseReader:
    """Reads the noun phrases of one sentence about one scene."""

    def __init__(self, things: tuple[Thing, ...], found: tuple[Token, ...], last: Sequence[tuple[Thing, ...]]) -> None:
        self.things, self.found, self.claims = things, found, list[bool]()
        self.last: list[tuple[Thing, ...]] = list(last)  # what was spoken of, for "it" and "both"

    def at(self, i: int) -> Token:
        return self.found[i] if i < len(self.found) else END

    def phrase(self, i: int, within: tuple[Thing, ...] | None = None) -> tuple[Phrase | None, int]:
        start, everything = i, self.things if within is None else within
        quant, op, count, definite, only, listed, rest = "", "", None, False, False, False, False
        while True:
            kind, value = self.at(i)
            if kind == "det":
                definite |= value == "the" and not only
                listed = True
            elif kind == "rest" and not rest and (self.last or quant == "all"):
                rest = True
            elif kind == "only":
                only = True
            elif kind == "exact":
                op = "=="
            elif kind == "op":
                op = value
            elif kind == "quant" and not quant:
                quant = value
            elif kind == "num" and count in (None, value):
                count, listed = value, True
            else:
                break
            i += 1
        if rest:
            spoken = {thing for group in self.last for thing in group}
            everything = tuple(thing for thing in everything if thing not in spoken)
        if self.at(i)[0] == "of" and (quant or count is not None):
            return self._part(i + 1, quant, op or (">=" if count == 1 and not only else ""), count, only)
        pool, i, placed, tests, headed, shaped = self._described(i, everything)
        named = placed + tests > 0 or headed or rest
        quant = "all" if rest and quant == "half" else quant
        if not named and count is None and quant in ("", "any"):
            return None, start
        general = placed + tests == 0 and not rest
        return (
            Phrase(
                pool, quant, op, count, definite, only, None, shaped, not named, listed or bool(quant),
                headed or shaped or rest, general, not tests and not (rest and self.last),
            ),
            i,
        )  # fmt: skip

    def _part(self, i: int, quant: str, op: str, count: int | None, only: bool) -> tuple[Phrase | None, int]:
        """ "Two of the six objects": how many of a set there are said to be."""
        if self.at(i)[0] in ("pron", "which"):
            if quant in ("both", "all"):
                return Phrase(self.things, quant, bare=True, listed=True), i + 1
            whole, j, vague = self.last[-1] if self.last else self.things, i + 1, not self.last
        else:
            inner, j = self.phrase(i)
            whole = inner.fits if inner is not None and not inner.bare else self.things
            if inner is not None and inner.number is not None and inner.quant == "":
                self.claims.append(len(whole) == inner.number)
            if inner is None:
                j = i
            vague = True
        return Phrase(whole, quant, op, count, False, only, whole, False, False, True, True, False, vague), j

    def _described(self, i: int, pool: tuple[Thing, ...]) -> tuple[tuple[Thing, ...], int, int, int, bool, bool]:
        """The things that adjectives, a noun and what follows it describe; how many words say where, how many what."""
        tests: list[Callable[[Thing], bool]] = []
        order: list[tuple[str, str]] = []
        shaped = headed = False
        placed, kinds = 0, set[str]()
        while True:
            kind, value = self.at(i)
            if kind == "attr":
                if value[0] == "shape":
                    if shaped or headed:
                        break
                    shaped = True
                elif value[0] in kinds and self.at(i - 1)[0] != "attr":
                    break
                kinds.add(value[0])
                choices = [value]
                while self.at(i + 1)[0] == "or" and self.at(i + 2)[0] == "attr":
                    choices.append(self.at(i + 2)[1])
                    i += 2
                tests.append(_one_of(tuple(choices)))
            elif kind in ("sup", "far", "ord"):
                order.append((kind, value))
            elif kind == "noun" and not headed and not shaped:
                headed = True
            elif kind == "at":
                tests.append(_place(value))
                placed += 1
            elif not (
                kind == "surface"
                or (kind in ("made", "of") and self.at(i + 1)[0] == "attr")
                or self._restricts(i, headed or shaped)
                or self._goes_on(i, bool(tests or order or headed), shaped or headed, kinds)
            ):
                break
            i += 1
        pool = tuple(thing for thing in pool if all(test(thing) for test in tests))
        for mark, value in order:
            pool = _ordered(pool, self.things, mark, value)
        return pool, i, placed + len(order), len(tests) - placed, headed, shaped

    def _restricts(self, i: int, headed: bool) -> bool:
        """Whether "that is" stands here, with an adjective behind it."""
        kind, before = self.at(i)[0], self.at(i - 1)[0]
        if kind == "which":
            return headed and self.at(i + 1)[0] == "cop" and self.at(i + 2)[0] in ("attr", "at", "far")
        return kind == "cop" and before == "which" and headed

    def _goes_on(self, i: int, named: bool, headed: bool, kinds: set[str]) -> bool:
        """Whether a comma, "and" or an article stands inside a description and not behind it."""
        kind, value = self.at(i)
        if not named and kind != "with" and self.at(i - 1)[0] != "with":
            return False
        following, after = self.at(i + 1), self.at(i + 2)
        if (kind, value) == ("and", "and") or (kind == "mark" and value == ","):
            if kind == "mark" and following == ("and", "and"):
                following, after = after, self.at(i + 3)
            plain = following[0] == "attr" and following[1][0] not in ("shape", *kinds)
            if headed:
                third = self.at(i + 3 + (self.at(i + 1) != following))
                listed = third[0] == "attr" and following[0] == "attr" and third[1][0] == following[1][0]
                ends = after[0] in ("surface", "mark", "end", "and") and not listed and not self._noun_soon(i + 1)
                return following[0] in ("at", "far") or (plain and ends)
            return plain or (following[0] == "attr" and following[1][0] == "shape" and not self._noun_soon(i + 2))
        if kind == "with":
            return self._surface_soon(i + 1 + (following[0] == "det"))
        return (
            (headed or self.at(i - 1)[0] == "with")
            and kind == "det"
            and following[0] == "attr"
            and self._surface_soon(i + 1)
        )

    def _noun_soon(self, i: int) -> bool:
        """Whether a description that begins here has a noun of its own."""
        while self.at(i)[0] == "attr" or self.at(i) == ("mark", ","):
            if self.at(i)[0] == "attr" and self.at(i)[1][0] == "shape":
                return True
            i += 1
        return self.at(i)[0] == "noun"

    def _surface_soon(self, i: int) -> bool:
        while self.at(i)[0] == "attr" or self.at(i) in (("mark", ","), ("and", "and")):
            i += 1
        return self.at(i)[0] == "surface"


def _one_of(choices: tuple[tuple[str, str], ...]) -> Callable[[Thing], bool]:
    return lambda thing: any(thing.has(*choice) for choice in choices)


def _place(name: str) -> Callable[[Thing], bool]:
    """Whether a thing is at a named part of the picture, generously."""
    return {
        "left": lambda thing: thing.across < 0.55,
        "right": lambda thing: thing.across > 0.45,
        "middle": lambda thing: 0.25 < thing.across < 0.75,
        **dict.fromkeys(("front", "foreground", "lower", "bottom"), lambda thing: thing.depth < 3 or thing.down > 0.5),
        **dict.fromkeys(
            ("back", "rear", "background", "upper", "top"), lambda thing: thing.depth > 1 or thing.down < 0.5
        ),
    }.get(name, lambda thing: True)


def _ordered(pool: tuple[Thing, ...], things: tuple[Thing, ...], mark: str, value: str) -> tuple[Thing, ...]:
    """Those of a pool that are the leftmost, the second from the left, the nearest, the largest."""
    if mark == "ord":
        rank, _, side = value.partition("_")
        place = 0 if rank == "last" else ORDINALS[rank] - 1
        return tuple(thing for thing in pool if thing.place == (place if side == "left" else len(things) - 1 - place))
    if mark == "far":
        everything = {"left": things[:1], "right": things[-1:]}.get(value)
        if everything is not None:
            return tuple(thing for thing in pool if thing in everything)
        pick = min if value in ("front", "foreground") else max
        end = pick(things, key=lambda thing: thing.depth)
        return tuple(thing for thing in pool if thing == end)
    if not pool:
        return ()
    if value in ("small", "large"):
        return tuple(thing for thing in pool if thing.size == value) or pool
    key: Callable[[Thing], int] = (
        (lambda thing: thing.place) if value in ("left", "right") else (lambda thing: thing.depth)
    )
    return ((min if value in ("left", "front") else max)(pool, key=key),)
