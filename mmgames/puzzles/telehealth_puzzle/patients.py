"""Patients that nobody is: names, addresses and profiles drawn at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mmgames.puzzles.telehealth_puzzle.manual import NO, SIGNS, YES

SEXES = ("female", "male")
REGIONS = (
    "face", "scalp", "neck", "chest", "back", "abdomen", "arm", "forearm", "hand", "thigh", "foot", "ear", "nose",
    "lip",
)  # fmt: skip
_FIRST_NAMES = {
    "female": (
        "Agnes", "Beatriz", "Clara", "Delia", "Edith", "Fatima", "Greta", "Helena", "Irene", "Joana", "Karla", "Livia",
        "Mariam", "Nadia", "Olga", "Paula", "Renata", "Sonja", "Teresa", "Yara",
    ),
    "male": (
        "Adam", "Bruno", "Carlos", "Daniel", "Emil", "Felix", "Gustav", "Hamid", "Igor", "Jorge", "Kofi", "Luis",
        "Marek", "Nils", "Oscar", "Pedro", "Rafael", "Samuel", "Tomas", "Viktor",
    ),
}  # fmt: skip
_SURNAMES = (
    "Abrantes", "Bergman", "Castell", "Dorn", "Eriksen", "Ferraz", "Grant", "Hollis", "Ivanov", "Jansen", "Kimura",
    "Lindqvist", "Moreno", "Novak", "Okafor", "Pereira", "Quintero", "Rossi", "Schuster", "Tavares", "Ulrich",
    "Vasquez", "Weber", "Xavier", "Yilmaz", "Zeman",
)  # fmt: skip
_STREETS = (
    "Alder Lane", "Bridge Street", "Cedar Court", "Dove Road", "Elm Terrace", "Ferry Way", "Garden Row", "Harbour View",
    "Iris Close", "Juniper Hill", "Kiln Street", "Linden Avenue", "Mill Lane", "North Quay", "Orchard Road",
    "Park Side",
)  # fmt: skip
_TOWNS = (
    "Ashby", "Brookfield", "Caldermouth", "Dunmere", "Eastvale", "Fernhill", "Greyport", "Highmoor", "Inglewick",
    "Kingsmead", "Larkfield", "Marlow Bay", "Northwell", "Oakhurst", "Pinewood", "Quarrydale",
)  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
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
