"""What there is to recognise in a picture of TicTacToe."""

import numpy as np

from mmgames.games.tic_tac_toe.rules import CROSS, EMPTY, NOUGHT, TicTacToe, TicTacToeView, board_state
from mmgames.games.tic_tac_toe.words import PLACES
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

NOTES = "A cell is named by the letter of its row and the number of its column."
_SIGNS = {EMPTY: "empty", NOUGHT: "O", CROSS: "X"}
_VALUES = same(_SIGNS.values())


def elements(view: TicTacToeView) -> list[Fact]:
    return [Fact((name,), _SIGNS[held], _VALUES) for name, held in zip(PLACES, view.cells, strict=True)]


def make_state(game: TicTacToe, rng: np.random.Generator, seat: int) -> RecordState:
    """Anything on every cell: with as many X as O, some cells would tell of the others."""
    cells = rng.choice(list(_SIGNS), len(PLACES)).tolist()
    return board_state(tuple(cells), seat, game.marks)
