"""How the board is shown turned, and with other marks."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mmgames.drawing.canvas import Pen
from mmgames.games._board.looks import turned, turned_action
from mmgames.games.tic_tac_toe.picture import MARK_COLOURS, draw
from mmgames.games.tic_tac_toe.rules import CROSS

__all__ = ["PIECE_WORDS", "draw_pieces", "turned", "turned_action"]

PIECE_WORDS = {"shapes": {"X": "T", "O": "S", "cross": "triangle", "ring": "square"}}
"""The marks are called by the letters of triangle and square."""


def mark(pen: Pen, which: int) -> None:
    if which == CROSS:
        pen.polygon([(0.5, 0.16), (0.86, 0.8), (0.14, 0.8)], MARK_COLOURS[which])
    else:
        pen.rect(0.2, 0.2, 0.8, 0.8, None, MARK_COLOURS[which], 0.12)


def draw_pieces(pieces: str) -> Callable[..., np.ndarray]:
    return partial(draw, paint={"shapes": mark}[pieces])
