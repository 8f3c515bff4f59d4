"""How the board is shown turned, and with other stones."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mmgames.drawing.canvas import GOLD, RED, Pen, mix
from mmgames.drawing.canvas import WHITE as CHALK
from mmgames.games._board.looks import angular, turned, turned_action
from mmgames.games.gomoku.picture import LAST, WINNING, draw
from mmgames.games.gomoku.rules import BLACK

__all__ = ["PIECE_WORDS", "draw_pieces", "turned", "turned_action"]

PIECE_WORDS = {"shapes": {"Black and white stones lie": "Black stones are squares and white ones diamonds; they lie"}}


def stone(pen: Pen, which: str, marks: int) -> None:
    angular(pen, which == BLACK)
    if marks & WINNING:
        pen.disc(0.5, 0.5, 0.3, None, mix(GOLD, RED, 0.15), 0.1)
    if marks & LAST:
        pen.disc(0.5, 0.5, 0.17, RED)


def cover(pen: Pen, which: str) -> None:
    angular(pen, which == BLACK, CHALK)


def draw_pieces(pieces: str) -> Callable[..., np.ndarray]:
    paint, under = {"shapes": (stone, cover)}[pieces]
    return partial(draw, paint=paint, under=under)
