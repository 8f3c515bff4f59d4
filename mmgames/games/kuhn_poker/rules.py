"""KuhnPoker: kernel.py has the rules and deals through explicit chance nodes; views hide the other's card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.kuhn_poker import kernel as k
from mmgames.games.kuhn_poker.kernel import CARDS, FOLDS, HIDDEN, SHOWDOWNS, stakes
from mmgames.kernels.kernel_game import KernelGame, RowState

NO_CARDS = (HIDDEN, HIDDEN)


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


class KuhnPoker(KernelGame[KuhnView]):
    kernel = k.KERNEL

    def view(self, state: RowState, seat: Seat | None) -> KuhnView:
        first, second, number = state.row.tolist()
        betting = k.BETTINGS[number]
        if second == HIDDEN:
            return KuhnView(seat, NO_CARDS, ())
        if seat is None or betting in SHOWDOWNS:
            return KuhnView(seat, (first, second), betting)
        return KuhnView(seat, (HIDDEN, second) if seat else (first, HIDDEN), betting)

    def imagine(self, state: RowState, seat: Seat, rng: np.random.Generator) -> RowState:
        """The other's card redrawn among those it can be; after a showdown nothing is hidden."""
        row = state.row.copy()
        if k.BETTINGS[int(row[k.BETTING])] in SHOWDOWNS:
            return state
        if row[1] != HIDDEN:
            row[1 - seat] = _any([card for card in CARDS if card != row[seat]], rng)
        elif row[0] != HIDDEN:
            row[0] = _any(CARDS, rng)
        return RowState(row)


def row_of(view: KuhnView) -> np.ndarray:
    """A view as the kernels read it."""
    return np.array([*view.cards, k.NUMBERS[view.betting]])


def _any(cards: Sequence[int], rng: np.random.Generator) -> int:
    return cards[int(rng.random() * len(cards))]
