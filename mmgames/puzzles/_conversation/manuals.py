"""Puzzles whose manual can be drawn anew for every device, so that only talking helps."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation.rules import EXPERT, ConversationGame

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
        self.shuffles = self.options["manual"] == "shuffled"
        if self.shuffles and self._loaded:
            raise MmgamesError(f'{spec.id}: a file of instances goes with manual="standard", for which it was made.')

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
        return self.device_with(self.shuffled(rng) if self.shuffles else self.manuals.STANDARD, rng)

    def shown(self, device: Any) -> Any:
        return device._replace(manual=None)

    def manual(self, device: Any) -> Any:
        return device.manual

    def redraw(self, device: Any, seat: Seat, rng: np.random.Generator) -> Any:
        if seat != EXPERT:
            return self.for_all_the_solver_knows(device, rng)
        return self.device_with(device.manual, rng) if self.shuffles else self._draw(rng)
