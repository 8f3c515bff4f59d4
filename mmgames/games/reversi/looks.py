"""How the board is shown turned, and with other pieces."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mmgames.drawing.canvas import Pen
from mmgames.games._board.looks import angular, turned, turned_action
from mmgames.games.reversi.picture import draw
from mmgames.kernels.bitboard import BLACK

__all__ = ["PIECE_WORDS", "draw_pieces", "turned", "turned_action"]

PIECE_WORDS = {
    "shapes": {
        "Black and white discs": "Black square tiles and white diamond tiles",
        "disc": "tile",
        "discs": "tiles",
    }
}


def tile(pen: Pen, which: str) -> None:
    angular(pen, which == BLACK)


def draw_pieces(pieces: str) -> Callable[..., np.ndarray]:
    return partial(draw, piece={"shapes": tile}[pieces])
