"""What there is to recognise in a picture of KuhnPoker; the other's card is no element."""

import numpy as np

from mmgames.games.kuhn_poker.rules import BET, CARDS, PASS, KuhnPoker, KuhnView, state_of
from mmgames.games.kuhn_poker.words import CARD_LETTERS, CARD_NAMES, ROLES
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

NOTES = "Chips are those that a player has put into the pot. It is nobody's turn when the game is over."
BETTINGS = ((), (PASS,), (BET,), (PASS, BET), (BET, BET), (PASS, BET, BET))
"""With these, all equally likely, every pot, every stake and every turn is as frequent as the others of its kind; with
any more of the betting that there can be, some are not."""
_PLAIN = [name.split()[0] for name in CARD_NAMES]
_CARDS = same(_PLAIN) | dict(zip((*CARD_LETTERS, *CARD_NAMES), _PLAIN * 2, strict=True))
_NOBODY = "nobody"


def elements(view: KuhnView) -> list[Fact]:
    mover = _NOBODY if view.mover is None else ROLES[view.mover]
    stakes = [
        Fact((f"chips of {role}",), str(chips), same(("1", "2"))) for role, chips in zip(ROLES, view.chips, strict=True)
    ]
    return [
        Fact(("your card",), _PLAIN[view.cards[view.seat or 0]], _CARDS),
        *stakes,
        Fact(("chips in the pot",), str(sum(view.chips)), same(("2", "3", "4"))),
        Fact(("turn",), mover, same((*ROLES, _NOBODY))),
    ]


def make_state(game: KuhnPoker, rng: np.random.Generator, seat: int) -> RecordState:
    cards = rng.permutation(CARDS)[:2].tolist()
    return state_of(cards, BETTINGS[int(rng.integers(len(BETTINGS)))])
