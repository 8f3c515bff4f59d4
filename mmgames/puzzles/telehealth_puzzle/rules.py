"""TelehealthPuzzle: name the lesion and its treatment by a manual that somebody else has. A game, not medicine."""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.telehealth_puzzle import manual as book
from mmgames.puzzles.telehealth_puzzle import photos
from mmgames.puzzles.telehealth_puzzle.manual import CODES, LOOKS, MIX, SIGNS, SMALL, STANDARD, Manual
from mmgames.puzzles.telehealth_puzzle.patients import PrivateDetails, Profile, drawn_person, drawn_profile
from mmgames.puzzles.telehealth_puzzle.photos import Record

DIAGNOSE, TREAT = "diagnose_", "treat_"
NAMES = (
    *(DIAGNOSE + code for code in CODES),
    *(TREAT + treatment for treatment in (book.SURGERY, book.NO_TREATMENT, book.CRYOTHERAPY)),
)


class Lesion(NamedTuple):
    """What is drawn; the size is in the profile, and `grain` makes each drawing look different."""

    border: str
    colour: str
    scale: str
    sheen: str
    grain: int


class Case(NamedTuple):
    person: PrivateDetails
    profile: Profile
    lesion: Lesion | None  # None: there is a photograph
    photo: str = ""
    look: int | None = None  # which of the manual's looks it has; None: not known to who sees this
    diagnosed: bool = False
    treated: bool = False
    refused: frozenset[str] = frozenset()  # diagnoses, later treatments, that were wrong
    manual: Manual | None = STANDARD

    @property
    def code(self) -> str:
        assert self.manual is not None and self.look is not None, "only who has the manual knows"
        return self.manual.codes[self.look]


def signs_of(profile: Profile) -> dict[str, str]:
    return dict(zip(SIGNS, profile.signs, strict=True))


def seen_of(lesion: Lesion, profile: Profile) -> dict[str, str]:
    """What a lesion shows, by the names in LOOKS."""
    assert profile.diameter is not None
    return dict(zip(LOOKS, (*lesion[:4], book.size_of(profile.diameter)), strict=True))


class TelehealthPuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES
    _records: tuple[Record, ...] = ()

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        given = self.options["photos"]
        if not isinstance(given, (str, os.PathLike)):
            raise MmgamesError(f'{spec.id}: photos={given!r} is neither "drawn" nor the path of a folder.')
        self._records = () if given == "drawn" else photos.load(os.fspath(given), spec.id)
        if self._records and not self.shuffles:
            self._records = self._decided(self.own)
        self._unreadable: set[str] = set()

    def _decided(self, manual: Manual) -> tuple[Record, ...]:
        """The records with all that the standard manual asks for."""
        decided = tuple(record for record in self._records if _treatable(manual, record))
        left_out = len(self._records) - len(decided)
        if not decided:
            raise MmgamesError(
                f"{self.spec.id}: none of the {left_out} photographs has the diameter or the signs that the manual "
                "asks for; check that metadata.csv is complete."
            )
        if left_out:
            photos.tell(
                f"{self.spec.id}: {left_out} of {len(self._records)} photographs are left out: the diameter or a sign "
                "that the manual asks for is unknown."
            )
        return decided

    def shuffled(self, rng: np.random.Generator) -> Manual:
        if not self._records:
            return book.shuffled(rng)
        for _ in range(TRIES):
            manual = book.shuffled(rng, true_looks=True)
            if any(_treatable(manual, record) for record in self._records):
                return manual
        return STANDARD

    def effort(self, device: Case) -> float:
        """The other diagnoses that differ in one look alone, and whether the treatment depends on more."""
        assert device.manual is not None
        seen = seen_of(device.lesion, device.profile) if device.lesion else {}
        fits = [
            sum(value in allowed for value, allowed in zip(seen.values(), look, strict=False))
            for look in device.manual.looks
        ]
        return fits.count(len(LOOKS) - 1) + bool(device.manual.treatments[CODES.index(device.code)].no)

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Case:
        if self._records:
            return self._photographed(manual, rng)
        look = manual.codes.index(CODES[int(np.searchsorted(np.cumsum(MIX), rng.integers(100), "right"))])
        drawn = (allowed[int(rng.integers(len(allowed)))] for allowed in manual.looks[look])
        border, colour, scale, sheen, size = drawn
        profile = drawn_profile(size == SMALL, rng)
        lesion = Lesion(border, colour, scale, sheen, int(rng.integers(1 << 30)))
        return Case(drawn_person(profile, rng), profile, lesion, look=look, manual=manual)

    def _photographed(self, manual: Manual, rng: np.random.Generator) -> Case:
        """A case with a photograph that can be opened; one that cannot is reported and not tried again."""
        left = [record for record in self._records if _treatable(manual, record)]
        while left:
            record = left.pop(int(rng.integers(len(left))))
            if photos.pixels(record.photo) is not None:
                look = CODES.index(record.code)
                return Case(drawn_person(record.profile, rng), record.profile, None, record.photo, look, manual=manual)
            if record.photo not in self._unreadable:
                self._unreadable.add(record.photo)
                photos.tell(f"{self.spec.id}: {record.photo!r} is no picture that can be read; it is left out.")
        raise MmgamesError(
            f"{self.spec.id}: no picture below {str(self.options['photos'])!r} can be read; copy the data set again."
        )

    def device_from(self, start: Mapping[str, Any]) -> Case:
        parts = taken(start, person=dict, profile=dict, lesion=dict, code=str)
        person = PrivateDetails(**taken(parts["person"], name=str, address=str, born=str, insurance=str))
        number = (int, float)
        facts = taken(parts["profile"], age=int, sex=str, skin=int, region=str, diameters=list, signs=dict)
        known(facts["signs"], SIGNS, "sign")
        known(list(facts["signs"].values()), (book.YES, book.NO), "answer about a sign")
        demand(len(facts["signs"]) == len(SIGNS), f"all of {', '.join(SIGNS)} must be answered")
        demand(len(facts["diameters"]) == 2 and all(isinstance(d, number) for d in facts["diameters"]), "two diameters")
        larger, smaller = facts["diameters"]
        demand(larger >= smaller > 0, "a lesion has two diameters above 0 mm, the larger first")
        profile = Profile(**{**facts, "signs": tuple(facts["signs"][sign] for sign in SIGNS)})
        lesion = Lesion(**taken(parts["lesion"], border=str, colour=str, scale=str, sheen=str, grain=int))
        known([parts["code"]], CODES, "diagnosis")
        look = STANDARD.codes.index(parts["code"])
        demand(look in book.matching(STANDARD, seen_of(lesion, profile)), f"it does not look like {parts['code']}")
        return Case(person, profile, lesion, look=look)

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        raise ValueError("its patients are photographs, which are not in the file; photos= plays with a folder of them")

    def facts_of(self, device: Case) -> dict[str, Any]:
        if device.lesion is None:
            raise MmgamesError(f"{self.spec.id}: a photograph cannot be written into a file of instances.")
        person, profile, lesion = (part._asdict() for part in (device.person, device.profile, device.lesion))
        profile |= {"signs": signs_of(device.profile), "diameters": list(device.profile.diameters)}
        return {"person": person, "profile": profile, "lesion": lesion, "code": device.code}

    def situation(self, device: Case) -> Any:
        return device.diagnosed, device.treated

    def do(self, device: Case, name: str, rng: np.random.Generator) -> Outcome:
        if not device.diagnosed:
            if name == DIAGNOSE + device.code:
                return Outcome(device._replace(diagnosed=True), note="diagnosed")
            return self._refuse(device, name, DIAGNOSE)
        if name == TREAT + str(self.right_treatment(device)):
            return Outcome(device._replace(treated=True))
        return self._refuse(device, name, TREAT)

    def right_treatment(self, device: Case) -> str | None:
        """None if the manual asks for something that is not known; such cases are not played."""
        assert device.manual is not None
        signs = signs_of(device.profile)
        return book.right_treatment(device.manual, device.code, device.profile.diameter, signs, self.released)

    def _answers_alike(self, device: Case, other: Case) -> bool:
        """Whether all diagnoses and treatments tried so far would have been accepted or refused in the same way."""
        treatment = self.right_treatment(other)
        if treatment is None or DIAGNOSE + other.code in device.refused:
            return False
        if device.diagnosed and other.code != device.code:
            return False
        if device.treated:
            return treatment == self.right_treatment(device)
        return TREAT + treatment not in device.refused

    def _refuse(self, device: Case, name: str, wanted: str) -> Outcome:
        if not name.startswith(wanted):
            return Outcome(device, True, "not yet" if wanted == DIAGNOSE else "diagnosed before")
        return Outcome(device._replace(refused=device.refused | {name}), True)

    def solved(self, device: Case) -> bool:
        return device.treated

    def partial(self, device: Case) -> float:
        return 1.0 if device.treated else 0.5 if device.diagnosed else 0.0

    def shown(self, device: Case) -> Case:
        return device._replace(manual=None, look=None)

    def private(self, device: Case) -> Mapping[str, str]:
        name, address, born, insurance = device.person
        return {"name": name, "address": address, "birth date": born, "insurance number": insurance}

    def for_all_the_solver_knows(self, device: Case, rng: np.random.Generator) -> Case:
        """Another manual, and for a photograph another diagnosis of it: what it really shows is not in the picture."""
        assert device.manual is not None
        for _ in range(TRIES if self.shuffles or device.photo else 0):
            manual = book.shuffled(rng, true_looks=bool(device.photo)) if self.shuffles else device.manual
            if device.lesion is None:
                fitting = list(range(len(CODES)))
            else:
                fitting = book.matching(manual, seen_of(device.lesion, device.profile))
            if fitting:
                other = device._replace(manual=manual, look=fitting[int(rng.integers(len(fitting)))])
                if self._answers_alike(device, other):
                    return other
        return device


def _treatable(manual: Manual, record: Record) -> bool:
    code = manual.codes[CODES.index(record.code)]
    return book.right_treatment(manual, code, record.profile.diameter, signs_of(record.profile)) is not None
