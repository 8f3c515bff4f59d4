"""Games of Hanabi for the tests: with any number of players, from a fresh deck, by players who look now and then."""

from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.games.hanabi.rules import Hanabi
from mmgames.games.hanabi.views import NOTHING
from mmgames.kernels.records import RecordState

FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"{players} players": ("Hanabi", {"players": players}) for players in (2, 3, 4, 5)},
    "tiny": ("TinyHanabi", {}),
}


def make(form: str, **options: Any) -> Hanabi:
    name, settings = FORMS[form]
    return registry.load(name).game(**settings, **options)  # type: ignore[return-value]


def fresh_state(game: Hanabi, rng: np.random.Generator) -> RecordState:
    """A state to be played in place."""
    state = game.kernel.blank.replace()
    game.kernel.start(state.record, np.uint64(rng.bit_generator.random_raw()))
    return state


def some_action(state: RecordState, legal: list[int], careful: bool, rng: np.random.Generator) -> int:
    """Any legal action; careful players look at their own cards, so that their games reach all kinds of ends."""
    if careful and rng.random() < 0.95:
        cards, hands, fireworks = state.deck, state.hands, state.fireworks
        hand, ranks = len(hands[0]), len(state.discards[0])
        kinds = [cards[place] for place in hands[state.moves % len(hands)] if place != NOTHING]
        fitting = [hand + slot for slot, kind in enumerate(kinds) if fireworks[kind // ranks] == kind % ranks]
        legal = fitting or [action for action in legal if not hand <= action < 2 * hand] or legal
    return legal[int(rng.integers(len(legal)))]
