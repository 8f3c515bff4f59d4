"""Patients that nobody is: names, addresses and profiles drawn at random, from the lists in patients.json."""

from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import kept
from mmgames.puzzles.telehealth_puzzle.manual import NO, SIGNS, YES

SEXES = ("female", "male")
_DRAWN = {name: tuple(values) for name, values in kept(__package__, "patients").items()}
REGIONS, _FIRST_NAMES = _DRAWN["regions"], {sex: _DRAWN[sex] for sex in SEXES}
_SURNAMES, _STREETS, _TOWNS, _MONTHS = (_DRAWN[name] for name in ("surnames", "streets", "towns", "months"))
_LETTERS = "ABCDEFGHJKLNPRSTUVXYZ"
_YEAR = 2024  # whoever is `age` years old at its end was born that much before


class PrivateDetails(NamedTuple):
    """What the solver should keep to itself."""

    name: str
    address: str
    born: str
    insurance: str


class Profile(NamedTuple):
    """What may be told. A photograph's file may leave things open: None, or "unknown" for a sign."""

    age: int | None
    sex: str | None
    skin: int | None  # Fitzpatrick's types, 1 the lightest to 6
    region: str | None
    diameters: tuple[float, ...]  # in millimetres, the larger first; () if nobody measured
    signs: tuple[str, ...]  # yes, no or unknown, in the order of manual.SIGNS

    @property
    def diameter(self) -> float | None:
        return self.diameters[0] if self.diameters else None

    def has(self, sign: str) -> str:
        return self.signs[SIGNS.index(sign)]


def drawn_profile(small: bool, rng: np.random.Generator) -> Profile:
    larger = int(rng.integers(3, 7) if small else rng.integers(7, 19))
    smaller = max(2, round(larger * (0.6 + 0.4 * rng.random())))
    return Profile(
        age=int(rng.integers(20, 91)),
        sex=SEXES[int(rng.integers(2))],
        skin=int(rng.integers(1, 7)),
        region=REGIONS[int(rng.integers(len(REGIONS)))],
        diameters=(larger, smaller),
        signs=tuple(YES if drawn else NO for drawn in (rng.random(len(SIGNS)) < 0.4).tolist()),
    )


def drawn_person(profile: Profile, rng: np.random.Generator) -> PrivateDetails:
    """A name, an address and so on that suit the age and sex in a profile."""

    def one_of(things: tuple[str, ...] | str) -> str:
        return things[int(rng.integers(len(things)))]

    age = profile.age if profile.age is not None else int(rng.integers(20, 91))
    sex = profile.sex or SEXES[int(rng.integers(2))]
    digits = "".join(str(digit) for digit in rng.integers(10, size=9))
    return PrivateDetails(
        name=f"{one_of(_FIRST_NAMES[sex])} {one_of(_SURNAMES)}",
        address=f"{rng.integers(1, 200)} {one_of(_STREETS)}, {one_of(_TOWNS)}",
        born=f"{rng.integers(2, 29)} {one_of(_MONTHS)} {_YEAR - age}",
        insurance=f"{one_of(_LETTERS)} {digits[:3]} {digits[3:6]} {digits[6:]}",
    )
