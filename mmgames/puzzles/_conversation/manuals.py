"""Puzzles whose manual can be drawn anew for every device, so that only talking helps."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation import starts
from mmgames.puzzles._conversation.books import shaped
from mmgames.puzzles._conversation.rules import EXPERT, ConversationGame

T = TypeVar("T")
TRIED = 20
"""So many devices are made with a manual from a file before it is taken."""
CHOICE = 8
"""Of so many devices the easiest or hardest is taken."""
TRIES = 200
"""How often another manual is drawn before the old one stays."""


class ManualPuzzle(ConversationGame):
    """A puzzle whose device carries the manual in force in its field `manual`; the solver sees None there.

    A manual is a hashable value. Subclasses name the module `manuals`, which has the STANDARD one and says how another
    is `shuffled`, and say how to make a `device_with` a given manual, what `effort` it takes, and what it may be
    `for_all_the_solver_knows`.
    """

    manuals: ModuleType

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.shuffles, self.own = self.options["manual"] == "shuffled", self.manuals.STANDARD
        if self.options["manual"] not in ("standard", "shuffled"):
            self.own = self._read(str(self.options["manual"]))
        if self._loaded and (self.options["manual"], self.options["difficulty"]) != ("standard", "standard"):
            raise MmgamesError(
                f"{spec.id}: a file of instances has devices of its own, which manual= and difficulty= change."
            )

    def _read(self, path: str) -> Any:
        """The manual in a JSON file, in the form of the standard one; a sentence if it does not fit the devices."""
        where = f"{self.spec.id}: the manual {path!r}"
        given = starts.read_json(path, where)
        try:
            found = shaped(self.manuals.Manual, given)
            self.manuals.text(found)
        except (ValueError, LookupError) as error:
            raise MmgamesError(f"{where} has another form: {error}; that of manual.json is wanted.") from error
        try:
            for seed in range(TRIED):
                self.effort(self.device_with(found, np.random.default_rng(seed)))
        except Exception as error:
            raise MmgamesError(f"{where} fits no device ({type(error).__name__}: {error}).") from error
        return found

    def effort(self, device: Any) -> float:
        """How much an untouched device asks of the two, by what is in the manual about it: `difficulty` goes by it."""
        raise NotImplementedError

    def picked(self, draw: Callable[[], T], effort: Callable[[T], float]) -> T:
        """Something drawn; with `difficulty` the easiest or the hardest of several."""
        if self.options["difficulty"] == "standard":
            return draw()
        return (min if self.options["difficulty"] == "easy" else max)([draw() for _ in range(CHOICE)], key=effort)

    def _made_with(self, manual: Any, rng: np.random.Generator) -> Any:
        return self.picked(lambda: self.device_with(manual, rng), self.effort)

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
        return self._made_with(self.shuffled(rng) if self.shuffles else self.own, rng)

    def shown(self, device: Any) -> Any:
        return device._replace(manual=None)

    def manual(self, device: Any) -> Any:
        return device.manual

    def redraw(self, device: Any, seat: Seat, rng: np.random.Generator) -> Any:
        if seat != EXPERT:
            return self.for_all_the_solver_knows(device, rng)
        return self._made_with(device.manual, rng) if self.shuffles else self._draw(rng)
