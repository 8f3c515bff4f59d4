"""Manuals of the wire panel: a table of rules, from which both the right wire and the manual's text are made."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import standard
from mmgames.text.prose import paragraphs

COLOURS = ("red", "white", "yellow", "blue", "black")
FEWEST, MOST = 3, 6
LAST = -1


class Rule(NamedTuple):
    """If every test in `when` holds, cut this wire: a number, LAST, or a colour for the last wire of that colour."""

    when: tuple[tuple[str, str], ...]
    cut: int | str


OTHERWISE = ()
ODD_SERIAL = ("odd", "serial")

Manual = tuple[tuple[Rule, ...], ...]
"""A list of rules for three wires, for four, and so on; the first rule of a list that fits decides."""
STANDARD: Manual = standard(Manual, __package__)

Wires = tuple[str, ...]
# Each test: whether it holds, and how the manual puts it.
TESTS: dict[str, tuple[Callable[[Wires, bool, str], bool], str]] = {
    "none": (lambda wires, odd, colour: wires.count(colour) == 0, "no wire is {}"),
    "one": (lambda wires, odd, colour: wires.count(colour) == 1, "exactly one wire is {}"),
    "several": (lambda wires, odd, colour: wires.count(colour) > 1, "two or more wires are {}"),
    "last": (lambda wires, odd, colour: wires[-1] == colour, "the last wire is {}"),
    "odd": (lambda wires, odd, thing: odd, "the {} number ends in an odd digit"),
}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
INTRODUCTION = paragraphs(__package__, "words")["introduction"]


def deciding_rule(wires: Wires, odd: bool, manual: Manual) -> int:
    """The place (from 0) of the rule that fits, given the colours and whether the serial number is odd."""
    for place, rule in enumerate(manual[len(wires) - FEWEST]):
        if all(TESTS[test][0](wires, odd, thing) for test, thing in rule.when):
            return place
    raise AssertionError("every list ends with a rule that always fits")


def right_wire(wires: Wires, odd: bool, manual: Manual = STANDARD) -> int:
    """The number (from 1) of the wire to cut."""
    cut = manual[len(wires) - FEWEST][deciding_rule(wires, odd, manual)].cut
    if isinstance(cut, str):
        return len(wires) - wires[::-1].index(cut)
    return len(wires) if cut == LAST else cut


def shuffled(rng: np.random.Generator) -> Manual:
    """A manual with as many rules and tests as the standard one, in another order and about other things."""
    return tuple(_shuffled(rules, count, rng) for count, rules in enumerate(STANDARD, FEWEST))


def _shuffled(rules: tuple[Rule, ...], count: int, rng: np.random.Generator) -> tuple[Rule, ...]:
    kinds = [kind for kind in TESTS if kind != "odd"]
    about = [(kind, colour) for kind in kinds for colour in COLOURS]
    unused = [about[i] for i in rng.permutation(len(about))]
    *tests, _ = (rule.when for rule in rules)
    drawn = [_draw(tests[i], count, unused, rng) for i in rng.permutation(len(tests))]
    return (*drawn, _draw(OTHERWISE, count, unused, rng))


def _draw(
    when: tuple[tuple[str, str], ...], count: int, unused: list[tuple[str, str]], rng: np.random.Generator
) -> Rule:
    """A rule with as many tests, taken from the unused ones; each is about another colour, so that none contradict."""
    tests: list[tuple[str, str]] = []
    for test in when:
        if test != ODD_SERIAL:
            test = next(new for new in unused if new[1] not in (colour for _, colour in tests))
            unused.remove(test)
        tests.append(test)
    # The last wire of a colour can only be cut if the tests make sure that there is one.
    there = [colour for kind, colour in tests if kind in ("one", "several", "last")]
    cuts: list[int | str] = [*range(1, count), LAST, *there]
    return Rule(tuple(tests), cuts[int(rng.integers(len(cuts)))])


def line(rule: Rule) -> str:
    """A rule as a line of the manual."""
    conditions = " and ".join(TESTS[test][1].format(thing) for test, thing in rule.when)
    if isinstance(rule.cut, str):
        wire = f"last {rule.cut}"
    else:
        wire = "last" if rule.cut == LAST else ORDINALS[rule.cut - 1]
    return f"If {conditions}, cut the {wire} wire." if conditions else f"Otherwise cut the {wire} wire."


@lru_cache(maxsize=64)
def lists(manual: Manual = STANDARD) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The manual's lists, as far as they are there: heading and lines."""
    there = ((count, rules) for count, rules in enumerate(manual, FEWEST) if rules)
    return tuple((f"{count} wires", tuple(line(rule) for rule in rules)) for count, rules in there)


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    parts = [INTRODUCTION]
    for heading, lines in lists(manual):
        parts.append(f"{heading}:\n" + "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1)))
    return "\n\n".join(parts)
