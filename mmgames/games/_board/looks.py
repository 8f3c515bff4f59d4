"""How boards look otherwise: turned, where views have `cells`, row by row from the top left, whose moves are cells; and
with pieces of another make, of which Black's are squares and White's diamonds, whatever the game."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mmgames.core.looks import turned_cells
from mmgames.drawing.canvas import BLACK as SOOT
from mmgames.drawing.canvas import INK, Colour, Pen
from mmgames.drawing.canvas import WHITE as CHALK


@lru_cache(maxsize=32)
def places(how: str, cells: int) -> tuple[int, ...]:
    """Where each cell of a square board goes; actions behind the cells, such as a pass, stay."""
    side = int(cells**0.5)
    return (*turned_cells(how, side, side), cells)


def on_turned_board(cells: Sequence[Any], how: str) -> list[Any]:
    turned = [None] * len(cells)
    for cell, goal in zip(cells, places(how, len(cells)), strict=False):
        turned[goal] = cell
    return turned


def turned(view: Any, how: str) -> Any:
    """The view with its cells and the cell of its last move turned."""
    cells = on_turned_board(view.cells, how)
    last = None if view.last is None else places(how, len(cells))[view.last]
    return view._replace(cells="".join(cells) if isinstance(view.cells, str) else tuple(cells), last=last)


def turned_action(view: Any, action: int, how: str) -> int:
    return places(how, len(view.cells))[action]


SQUARE, DIAMOND = 0.36, 0.46
"""How far a piece reaches from the middle of its cell."""


def angular(pen: Pen, is_black: bool, fill: Colour | None = None) -> None:
    """A square or a diamond, in its own colour or in another one."""
    if is_black:
        pen.rect(0.5 - SQUARE, 0.5 - SQUARE, 0.5 + SQUARE, 0.5 + SQUARE, fill or SOOT, fill or CHALK, 0.03)
        return
    corners = [(0.5, 0.5 - DIAMOND), (0.5 + DIAMOND, 0.5), (0.5, 0.5 + DIAMOND), (0.5 - DIAMOND, 0.5)]
    pen.polygon(corners, fill or INK)
    inner = [(0.5 + (x - 0.5) * 0.88, 0.5 + (y - 0.5) * 0.88) for x, y in corners]
    pen.polygon(inner, fill or CHALK)
