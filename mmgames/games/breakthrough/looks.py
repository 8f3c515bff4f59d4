"""How the board is shown turned, left and right changed, as Black goes down and White up; and with other pieces."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mmgames.drawing.canvas import INK, Pen, mix
from mmgames.drawing.canvas import WHITE as CHALK
from mmgames.games._board.looks import angular, on_turned_board, places
from mmgames.games.breakthrough.picture import draw
from mmgames.games.breakthrough.rules import NUM_WAYS, WAYS, BreakthroughView
from mmgames.kernels.bitboard import BLACK

PIECE_WORDS = {"shapes": {"Black discs": "Black squares", "white discs": "white diamonds"}}


def piece(pen: Pen, which: str) -> None:
    """A square or a diamond with an arrowhead that points where it goes."""
    angular(pen, which == BLACK)
    mark, way = (mix(INK, CHALK, 0.85), 1) if which == BLACK else (INK, -1)
    pen.line([(0.33, 0.5 - way * 0.09), (0.5, 0.5 + way * 0.11), (0.67, 0.5 - way * 0.09)], mark, 0.08)


def draw_pieces(pieces: str) -> Callable[..., np.ndarray]:
    return partial(draw, paint={"shapes": piece}[pieces])


def turned(view: BreakthroughView, how: str) -> BreakthroughView:
    last = None if view.last is None else turned_action(view, view.last, how)
    return view._replace(cells="".join(on_turned_board(view.cells, how)), last=last)


def turned_action(view: BreakthroughView, action: int, how: str) -> int:
    move, capture = divmod(action, 2)
    source, way = divmod(move, NUM_WAYS)
    down, right = WAYS[way]
    return (places(how, len(view.cells))[source] * NUM_WAYS + WAYS.index((down, -right))) * 2 + capture
