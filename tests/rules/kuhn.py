"""States of KuhnPoker in OpenSpiel's form, which judges them."""

from __future__ import annotations

from typing import Any

import pyspiel

from mmgames.games.kuhn_poker.kernel import BETTINGS, HIDDEN
from mmgames.kernels.kernel_game import RowState

ENGINE = pyspiel.load_game("kuhn_poker")


def history(state: RowState) -> tuple[int, ...]:
    """OpenSpiel's history of a state: the cards dealt so far and the moves."""
    *cards, betting = state.row.tolist()
    return *(card for card in cards if card != HIDDEN), *BETTINGS[betting]


def spiel_state(state: RowState) -> Any:
    theirs = ENGINE.new_initial_state()
    for move in history(state):
        theirs.apply_action(move)
    return theirs
