"""KuhnPoker: three cards, dealt through explicit chance nodes, and one bet. Views hide the other's card."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mmgames.core.game import CHANCE, Seat
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, int8, record

JACK, QUEEN, KING = CARDS = range(3)
HIDDEN = NOT_YET = -1
"""A card that is not dealt, or that these eyes may not see; a move that is not made."""
PASS, BET = range(2)
ANTE = 1
MOVES = 3  # at the most
NUM_FEATURES = 17

# The ways in which the betting can end; in two of them somebody folds and no card is shown.
SHOWDOWNS = ((PASS, PASS), (BET, BET), (PASS, BET, BET))
FOLDS = {(BET, PASS): 1, (PASS, BET, PASS): 0}  # -> the seat that folds

FIELDS = record(cards=(int8, 2), betting=(int8, MOVES), made=int8)
"""The card of each seat, the moves of the betting, player_0's first, and how many of them were made."""


@kernel
def start(state, noise):
    state.cards[:] = HIDDEN
    state.betting[:] = NOT_YET
    state.made = 0


@kernel
def chance(state, outcomes, probabilities):
    """Each card that is left, first for player_0, then for player_1."""
    left = 0
    for card in range(JACK, KING + 1):
        if card != state.cards[0]:
            outcomes[left] = card
            left += 1
    probabilities[:left] = 1 / left
    return left


@inlined
def is_over(state):
    """A second move ends the betting, unless it is the first bet; a third one always does."""
    return state.made == MOVES or (state.made == 2 and not (state.betting[0] == PASS and state.betting[1] == BET))


@inlined
def is_showdown(state):
    """Nobody folds: the last move is the same as the one that it answers."""
    return is_over(state) and state.betting[state.made - 1] == state.betting[state.made - 2]


@inlined
def has_bet(state, seat):
    return state.betting[seat] == BET or (seat == 0 and state.betting[2] == BET)


@kernel
def turn(state):
    if state.cards[1] == HIDDEN:
        return CHANCE
    return NOBODY if is_over(state) else state.made % 2


@kernel
def moves(state, seat, out):
    out[0], out[1] = PASS, BET
    return 2


@kernel
def step(state, actions, noise):
    if state.cards[0] == HIDDEN:
        state.cards[0] = actions[0]
    elif state.cards[1] == HIDDEN:
        state.cards[1] = actions[0]
    else:
        state.betting[state.made] = actions[state.made % 2]
        state.made += 1


@kernel
def returns(state, out):
    """The loser has the lower card, or folds with the last move, and loses what it has put into the pot."""
    out[0] = out[1] = 0.0
    if is_over(state):
        if is_showdown(state):
            loser = 0 if state.cards[0] < state.cards[1] else 1
        else:
            loser = (state.made - 1) % 2
        lost = ANTE + has_bet(state, loser)
        out[loser] = -lost
        out[1 - loser] = lost


@kernel
def features(state, seat, out):
    """Own card, the other's once it is shown, the three moves, the seat, own turn, who has bet."""
    own, other, over, shown = state.cards[seat], state.cards[1 - seat], is_over(state), is_showdown(state)
    for card in range(JACK, KING + 1):
        out[card] = own == card
        out[3 + card] = shown and other == card
    for number in range(MOVES):
        out[6 + 2 * number] = state.betting[number] == PASS
        out[7 + 2 * number] = state.betting[number] == BET
    out[12] = seat == 0
    out[13] = seat == 1
    out[14] = not over and own != HIDDEN and state.made % 2 == seat  # the other card may be hidden from whoever looks
    out[15] = has_bet(state, seat)
    out[16] = has_bet(state, 1 - seat)


KERNEL = Kernel(
    *(blank_state(FIELDS), 2, NUM_FEATURES, start, turn, moves, step, returns, features),
    chance=chance, most_outcomes=len(CARDS),
)  # fmt: skip


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
        dealing = self.cards == (HIDDEN, HIDDEN)
        return None if dealing or self.over else len(self.betting) % 2

    @property
    def chips(self) -> tuple[int, int]:
        return stakes(self.betting)

    @property
    def winner(self) -> Seat | None:
        if self.showdown:
            return 0 if self.cards[0] > self.cards[1] else 1
        return 1 - FOLDS[self.betting] if self.over else None


def stakes(betting: tuple[int, ...]) -> tuple[int, int]:
    """The chips each seat has put into the pot."""
    return ANTE + (BET in betting[0::2]), ANTE + (BET in betting[1::2])


def state_of(cards: Sequence[int], betting: Sequence[int]) -> RecordState:
    made = len(betting)
    return KERNEL.blank.replace(cards=cards, betting=(*betting, *[NOT_YET] * (MOVES - made)), made=made)


class KuhnPoker(KernelGame[KuhnView]):
    kernel = KERNEL

    def view(self, state: RecordState, seat: Seat | None) -> KuhnView:
        (first, second), betting = state.cards, state.betting[: state.made]
        if second == HIDDEN:
            return KuhnView(seat, (HIDDEN, HIDDEN), ())
        if seat is None or betting in SHOWDOWNS:
            return KuhnView(seat, (first, second), betting)
        return KuhnView(seat, (HIDDEN, second) if seat else (first, HIDDEN), betting)

    def imagine(self, state: RecordState, seat: Seat, rng: np.random.Generator) -> RecordState:
        """The other's card redrawn among those it can be; after a showdown nothing is hidden."""
        first, second = cards = state.cards
        if state.betting[: state.made] in SHOWDOWNS or first == HIDDEN:
            return state
        if second == HIDDEN:
            return state.replace(cards=(_any(CARDS, rng), HIDDEN))
        other = _any([card for card in CARDS if card != cards[seat]], rng)
        return state.replace(cards=(other, second) if seat else (first, other))


def _any(cards: Sequence[int], rng: np.random.Generator) -> int:
    return cards[int(rng.random() * len(cards))]
