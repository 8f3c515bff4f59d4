"""What there is to recognise in a picture of Breakthrough."""

import numpy as np

from mmgames.games.breakthrough.rules import Breakthrough, BreakthroughView, board_state
from mmgames.games.breakthrough.words import PLACES, ROLES
from mmgames.kernels.bitboard import BLACK, EMPTY, WHITE
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

NOTES = "A square is named by the letter of its file and the number of its rank; a value is whose piece stands on it."
_SIGNS = {EMPTY: "empty", BLACK: ROLES[0], WHITE: ROLES[1]}
_VALUES = same(_SIGNS.values())


def elements(view: BreakthroughView) -> list[Fact]:
    return [Fact((name,), _SIGNS[sign], _VALUES) for name, sign in zip(PLACES, view.cells, strict=True)]


def make_state(game: Breakthrough, rng: np.random.Generator, seat: int) -> RecordState:
    """Anything on every square: in games the ranks where the pieces begin would tell who stands there."""
    return board_state("".join(rng.choice(list(_SIGNS), len(PLACES))), seat)
