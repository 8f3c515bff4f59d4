"""KuhnPoker: OpenSpiel keeps the rules and deals through explicit chance nodes; views hide the other's card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spiel import SpielGame, SpielState

JACK, QUEEN, KING = CARDS = range(3)
HIDDEN = -1
NO_CARDS = (HIDDEN, HIDDEN)
PASS, BET = range(2)
ANTE = 1

# The five ways the betting can end; in two of them somebody folds and no card is shown.
SHOWDOWNS = ((PASS, PASS), (BET, BET), (PASS, BET, BET))
FOLDS = {(BET, PASS): 1, (PASS, BET, PASS): 0}  # -> the seat that folds


def stakes(betting: tuple[int, ...]) -> tuple[int, int]:
    """The chips each seat has put into the pot."""
    return ANTE + (BET in betting[0::2]), ANTE + (BET in betting[1::2])


class KuhnView(NamedTuple):
    """What a seat knows: the betting and the cards it may see. The key of an information set."""

    seat: Seat | None
    cards: tuple[int, int]  # by seat; HIDDEN during the deal and where these eyes may not look
    betting: tuple[int, ...]  # PASS and BET, player_0 first

    @property
    def over(self) -> bool:
        return self.betting in SHOWDOWNS or self.betting in FOLDS

    @property
    def showdown(self) -> bool:
        return self.betting in SHOWDOWNS

    @property
    def mover(self) -> Seat | None:
        """Who is to bet or pass; None during the deal and when the game is over."""
        dealing = self.cards == NO_CARDS
        return None if dealing or self.over else len(self.betting) % 2

    @property
    def chips(self) -> tuple[int, int]:
        return stakes(self.betting)

    @property
    def winner(self) -> Seat | None:
        if self.showdown:
            return 0 if self.cards[0] > self.cards[1] else 1
        return 1 - FOLDS[self.betting] if self.over else None


class KuhnPoker(SpielGame[KuhnView]):
    engine_name = "kuhn_poker"

    def view(self, state: SpielState, seat: Seat | None) -> KuhnView:
        history = state.history
        if len(history) < 2:
            return KuhnView(seat, NO_CARDS, ())
        first, second, *_ = history
        betting = history[2:]
        if seat is None or betting in SHOWDOWNS:
            return KuhnView(seat, (first, second), betting)
        return KuhnView(seat, (HIDDEN, second) if seat else (first, HIDDEN), betting)

    def imagine(self, state: SpielState, seat: Seat, rng: np.random.Generator) -> SpielState:
        """The other's card redrawn among those it can be; after a showdown nothing is hidden."""
        history = state.history
        cards, betting = list(history[:2]), history[2:]
        if betting in SHOWDOWNS:
            return state
        if len(cards) == 2:
            cards[1 - seat] = _any([card for card in CARDS if card != cards[seat]], rng)
        elif cards:
            cards[0] = _any(CARDS, rng)
        return SpielState.replay(self.engine, (*cards, *betting))


def _any(cards: Sequence[int], rng: np.random.Generator) -> int:
    return cards[int(rng.random() * len(cards))]
