"""Manuals of the skin game: what each diagnosis looks like, and how it is treated. Made up for play; not medicine."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import kept, standard
from mmgames.text.prose import paragraphs

CODES = ("BCC", "SCC", "MEL", "ACK", "NEV", "SEK")
MIX = (40, 10, 2, 20, 13, 15)  # per cent of the cases, in the order of CODES
SURGERY, CRYOTHERAPY, NO_TREATMENT = TREATMENTS = ("surgery", "cryotherapy", "no_treatment")
SIGNS = ("itch", "bleed", "grew", "hurt", "changed", "elevation")
YES, NO, UNKNOWN = "yes", "no", "unknown"
SMALL, LARGE = "small", "large"
SMALL_UP_TO = 6  # millimetres
_TERMS = kept(__package__, "terms")
LOOKS: dict[str, tuple[str, ...]] = {what: tuple(values) for what, values in _TERMS["looks"].items()}
"""What can be seen of a lesion, and which values it takes."""
WORDS = {value: said.format(SMALL_UP_TO) for value, said in _TERMS["words"].items()}
SIGN_NAMES, SIGN_WORDS, TREATMENT_WORDS = (_TERMS[part] for part in ("sign names", "signs", "treatments"))


class Treatment(NamedTuple):
    """`yes` if a diameter has `mm` or more or one of the `signs` is there, else `no`; without these always `yes`."""

    yes: str
    no: str = ""
    mm: int = 0
    signs: tuple[str, ...] = ()


Look = tuple[tuple[str, ...], ...]
"""The values that a diagnosis allows for each of LOOKS, in that order."""


class Manual(NamedTuple):
    """`looks` and `codes` go together: what looks like looks[i] is codes[i]. Treatments are in the order of CODES."""

    codes: tuple[str, ...]
    looks: tuple[Look, ...]
    treatments: tuple[Treatment, ...]


STANDARD: Manual = standard(Manual, __package__)


def shuffled(rng: np.random.Generator, true_looks: bool = False) -> Manual:
    """Another manual: diagnoses change places, the values of each look change places, and so do the treatments.

    With `true_looks` the looks stay as they are: those of real photographs cannot be changed.
    """
    looks = STANDARD.looks
    if not true_looks:
        places = [_swapped(values, rng) for values in LOOKS.values()]
        looks = tuple(
            tuple(tuple(place[value] for value in allowed) for place, allowed in zip(places, look, strict=True))
            for look in looks
        )
    codes = tuple(CODES[i] for i in rng.permutation(len(CODES)))
    treatments = tuple(_drawn(STANDARD.treatments[i], rng) for i in rng.permutation(len(CODES)))
    return Manual(codes, looks, treatments)


def _swapped(values: tuple[str, ...], rng: np.random.Generator) -> dict[str, str]:
    return {value: values[i] for value, i in zip(values, rng.permutation(len(values)), strict=True)}


def _drawn(like: Treatment, rng: np.random.Generator) -> Treatment:
    """A treatment that asks for the same kind of thing."""
    yes, no = (TREATMENTS[i] for i in rng.permutation(len(TREATMENTS))[:2])
    if like.mm:
        return Treatment(yes, no, mm=int(rng.integers(4, 11)))
    if like.signs:
        return Treatment(yes, no, signs=tuple(SIGNS[i] for i in sorted(rng.permutation(len(SIGNS))[: len(like.signs)])))
    return like


def size_of(diameter: float) -> str:
    return SMALL if diameter <= SMALL_UP_TO else LARGE


def matching(manual: Manual, seen: Mapping[str, str]) -> list[int]:
    """The looks that fit what was seen; what was not is left open."""
    return [
        number
        for number, look in enumerate(manual.looks)
        if all(what not in seen or seen[what] in allowed for what, allowed in zip(LOOKS, look, strict=True))
    ]


def right_treatment(
    manual: Manual, code: str, diameter: float | None, signs: Mapping[str, str], released: bool = False
) -> str | None:
    """How to treat it; None if that depends on something unknown.

    The released code keeps signs as texts, of which "False" is as true as "True": every sign is there for it.
    """
    rule = manual.treatments[CODES.index(code)]
    if released and rule.signs:
        return rule.yes
    if rule.mm:
        return None if diameter is None else rule.yes if diameter >= rule.mm else rule.no
    if not rule.signs:
        return rule.yes
    told = [signs.get(sign, UNKNOWN) for sign in rule.signs]
    return rule.yes if YES in told else None if UNKNOWN in told else rule.no


INTRODUCTION = paragraphs(__package__, "words")["introduction"]


def look_line(manual: Manual, code: str) -> str:
    parts = []
    for (what, values), allowed in zip(LOOKS.items(), manual.looks[manual.codes.index(code)], strict=True):
        if set(allowed) != set(values):
            words = " or ".join(WORDS[value] for value in values if value in allowed)
            parts.append(f"{words} border" if what == "border" else words)
    return f"{code}: {'; '.join(parts)}."


def treatment_line(manual: Manual, code: str) -> str:
    rule = manual.treatments[CODES.index(code)]
    yes, no = TREATMENT_WORDS[rule.yes], TREATMENT_WORDS.get(rule.no, "")
    if rule.mm:
        return f"{code}: {yes} if a diameter is {rule.mm} mm or more, otherwise {no}."
    if rule.signs:
        return f"{code}: {yes} if {' or '.join(SIGN_WORDS[sign] for sign in rule.signs)}, otherwise {no}."
    return f"{code}: {yes}."


@lru_cache(maxsize=64)
def lists(manual: Manual) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The manual's two lists: heading and lines."""
    return (
        ("Diagnosis", tuple(look_line(manual, code) for code in CODES)),
        ("Treatment", tuple(treatment_line(manual, code) for code in CODES)),
    )


@lru_cache(maxsize=64)
def text(manual: Manual) -> str:
    parts = [INTRODUCTION]
    for heading, lines in lists(manual):
        parts.append(f"{heading}:\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts)
