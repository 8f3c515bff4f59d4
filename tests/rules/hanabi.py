"""Games of Hanabi for the tests: with any number of players, from a fresh deck, by players who look now and then."""

from __future__ import annotations

from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.games.hanabi import kernel as k
from mmgames.games.hanabi.rules import Hanabi

FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"{players} players": ("Hanabi", {"players": players}) for players in (2, 3, 4, 5)},
    "tiny": ("TinyHanabi", {}),
}


def make(form: str, **options: Any) -> Hanabi:
    name, settings = FORMS[form]
    return registry.load(name).game(**settings, **options)  # type: ignore[return-value]


def fresh_row(game: Hanabi, rng: np.random.Generator) -> np.ndarray:
    row = game.kernel.empty_row()
    game.kernel.start(row, np.uint64(rng.bit_generator.random_raw()))
    return row


def some_action(row: np.ndarray, legal: list[int], careful: bool, rng: np.random.Generator) -> int:
    """Any legal action; careful players look at their own cards, so that their games reach all kinds of ends."""
    hand, ranks = int(row[k.HAND_SIZE]), int(row[k.RANKS])
    if careful and rng.random() < 0.95:
        first, cells = k.HANDS + k.mover(row) * k.MOST_HAND, row.tolist()
        kinds = [cells[k.DECK + place] for place in cells[first : first + hand] if place != k.NOTHING]
        fitting = [hand + slot for slot, kind in enumerate(kinds) if cells[k.FIREWORKS + kind // ranks] == kind % ranks]
        legal = fitting or [action for action in legal if not hand <= action < 2 * hand] or legal
    return legal[int(rng.integers(len(legal)))]
