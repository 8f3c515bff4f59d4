"""Offers of a draw, in games of two whose rules know draws."""

from collections.abc import Sequence
from typing import Any

from mmgames.core.game import Game, Seat
from mmgames.play.hosted_game import Refused


def can_be_agreed(game: Game[Any, Any]) -> bool:
    """Whether the two who play may agree on a draw."""
    return game.spec.outcome.can_be_drawn and game.spec.utility == "zero_sum" and len(game.seats) == 2


class DrawOffers:
    """Who has offered a draw, and what came of it. The caller sees to it that one thread at a time asks."""

    def __init__(self, seats: Sequence[str], names: Sequence[str]) -> None:
        """The roles, and what people call them."""
        self.by: Seat | None = None
        """Who waits for an answer."""
        self.agreed = False
        self.said = ""
        """What became of the last offer, as a sentence."""
        self._seats, self._names = seats, names
        self._offered: dict[Seat, int] = {}

    def offer(self, seat: Seat, number: int) -> None:
        """Offer it in position `number`; once in each."""
        if self.by == 1 - seat:
            self.answer(seat, True)
            return
        if self._offered.get(seat) == number:
            raise Refused("You have offered a draw already; make a move first.", 409)
        self.by, self.said, self._offered[seat] = seat, "", number

    def answer(self, seat: Seat, taken: bool) -> None:
        if self.by is None or seat == self.by:
            raise Refused("Nobody offers you a draw (any more).", 409)
        self.by, self.agreed = None, taken
        self.said = "" if taken else f"{self._names[seat]} declines the draw."

    def moved(self, movers: tuple[Seat, ...]) -> None:
        """A new position: who plays on, when it is the other's turn to answer, has declined."""
        if self.by is None:
            self.said = ""
        elif self.by in movers:
            self.answer(1 - self.by, False)

    def as_json(self) -> dict[str, str]:
        return {"by": "" if self.by is None else self._seats[self.by], "said": self.said}
