"""Boards that are shown turned: views with `cells`, row by row from the top left, whose moves are cells."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mmgames.core.looks import turned_cells


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
