"""States of KuhnPoker in OpenSpiel's form, which judges them."""

from typing import Any

import pyspiel

from mmgames.games.kuhn_poker.rules import HIDDEN
from mmgames.kernels.records import RecordState

ENGINE = pyspiel.load_game("kuhn_poker")


def history(state: RecordState) -> tuple[int, ...]:
    """OpenSpiel's history of a state: the cards dealt so far and the moves."""
    return *(card for card in state.cards if card != HIDDEN), *state.betting[: state.made]


def spiel_state(state: RecordState) -> Any:
    theirs = ENGINE.new_initial_state()
    for move in history(state):
        theirs.apply_action(move)
    return theirs
