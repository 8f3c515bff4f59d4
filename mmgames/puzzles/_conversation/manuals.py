"""Puzzles whose manual can be drawn anew for every device, so that only talking helps."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation import starts
from mmgames.puzzles._conversation.rules import EXPERT, ConversationGame

TRIED = 20
"""So many devices are made with a manual from a file before it is taken."""
TRIES = 200
"""How often another manual is drawn before the old one stays."""


class ManualPuzzle(ConversationGame):
    """A puzzle whose device carries the manual in force in its field `manual`; the solver sees None there.

    A manual is a hashable value. Subclasses name the module `manuals`, which has the STANDARD one and says how another
    is `shuffled`, and say how to make a `device_with` a given manual and what it may be `for_all_the_solver_knows`.
    """

    manuals: ModuleType

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.shuffles, self.own = self.options["manual"] == "shuffled", self.manuals.STANDARD
        if self.options["manual"] not in ("standard", "shuffled"):
            self.own = self._read(str(self.options["manual"]))
        if self.shuffles and self._loaded:
            raise MmgamesError(f'{spec.id}: a file of instances goes with manual="standard", for which it was made.')

    def _read(self, path: str) -> Any:
        """The manual in a JSON file, in the form of the standard one; a sentence if it does not fit the devices."""
        where = f"{self.spec.id}: the manual {path!r}"
        found = _in_form_of(self.manuals.STANDARD, starts.read_json(path, where), where)
        try:
            for seed in range(TRIED):
                device = self.device_with(found, np.random.default_rng(seed))
                assert device.manual == found
        except Exception as error:
            raise MmgamesError(f"{where} fits no device ({type(error).__name__}: {error}).") from error
        return found

    def shuffled(self, rng: np.random.Generator) -> Any:
        """A manual of the standard one's form, drawn at random."""
        return self.manuals.shuffled(rng)

    def device_with(self, manual: Any, rng: np.random.Generator) -> Any:
        """An untouched device to which this manual applies."""
        raise NotImplementedError

    def for_all_the_solver_knows(self, device: Any, rng: np.random.Generator) -> Any:
        """A device that looks the same to the solver and would have answered all it did alike."""
        return device

    def new_device(self, rng: np.random.Generator) -> Any:
        return self.device_with(self.shuffled(rng) if self.shuffles else self.own, rng)

    def shown(self, device: Any) -> Any:
        return device._replace(manual=None)

    def manual(self, device: Any) -> Any:
        return device.manual

    def redraw(self, device: Any, seat: Seat, rng: np.random.Generator) -> Any:
        if seat != EXPERT:
            return self.for_all_the_solver_knows(device, rng)
        return self.device_with(device.manual, rng) if self.shuffles else self._draw(rng)


def _in_form_of(form: Any, given: Any, where: str) -> Any:
    """What JSON holds as a value of the make of `form`: named tuples, tuples of any length, words and numbers."""
    if not isinstance(form, tuple):
        if isinstance(given, (int, str)) and not isinstance(given, bool):
            return given
        raise MmgamesError(f"{where} has {given!r} in place of something like {form!r}.")
    named = getattr(form, "_fields", ())
    parts = [given.get(name) for name in named] if named and isinstance(given, dict) else given
    if not isinstance(parts, list) or (named and len(parts) != len(named)):
        raise MmgamesError(f"{where} has {str(given)[:60]} in place of something like {str(form)[:60]}.")
    if named:
        return type(form)(*(_in_form_of(*pair, where) for pair in zip(form, parts, strict=True)))
    longest = max(form, key=lambda part: len(str(part)), default="")
    forms = [form[place] if place < len(form) and form[place] != () else longest for place in range(len(parts))]
    return tuple(_in_form_of(*pair, where) for pair in zip(forms, parts, strict=True))
