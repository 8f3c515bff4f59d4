"""Grids that are shown turned, players, things and steps, while points and counts stay; and players of other shapes."""

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np

from mmgames.core.looks import turned_cells
from mmgames.drawing.canvas import Pen
from mmgames.games._dilemma.rules import DOWN, LEFT, RIGHT, STAY, UP, DilemmaView
from mmgames.games._dilemma.tokens import COLOURS, token

SHAPES = (2, 3)  # of red and blue: a triangle and a diamond
STEPS = {
    "mirrored": (STAY, LEFT, RIGHT, UP, DOWN),
    "flipped": (STAY, RIGHT, LEFT, DOWN, UP),
    "rotated": (STAY, LEFT, RIGHT, DOWN, UP),
    "quarter": (STAY, DOWN, UP, RIGHT, LEFT),
    "three quarters": (STAY, UP, DOWN, LEFT, RIGHT),
}
"""What becomes of the steps, in their order: stay, right, left, up, down."""
PIECE_WORDS = {
    "shapes": {
        "A round face is the player of its colour, a face half red and half blue both players on one cell.": (
            "The red player is a triangle and the blue one a diamond; both on one cell are drawn side by side."
        )
    }
}
"""Several players have shapes anyway."""


def shaped_player(pen: Pen, seats: tuple[int, ...]) -> None:
    if len(seats) == 1:
        token(pen, SHAPES[seats[0]], COLOURS[seats[0]])
        return
    for seat in seats:
        token(pen.part(seat * 0.5, 0.25, 0.5), SHAPES[seat], COLOURS[seat])


def pieces_of(draw: Callable[..., np.ndarray]) -> Callable[[str], Callable[..., np.ndarray]]:
    """`draw_pieces` of a dilemma."""
    return lambda pieces: partial(draw, players={"shapes": shaped_player}[pieces])


@lru_cache(maxsize=64)
def _places(how: str, side: int) -> tuple[int, ...]:
    """Where each cell goes; cells are counted from the bottom left."""
    cells = turned_cells(how, side, side)

    def upside_down(cell: int) -> int:
        return (side - 1 - cell // side) * side + cell % side

    return tuple(upside_down(cells[upside_down(cell)]) for cell in range(side * side))


def turned(view: DilemmaView, how: str) -> DilemmaView:
    state, places, steps = view.state, _places(how, view.setup.side), STEPS[how]
    at, things = [places[cell] for cell in state.at], [places[cell] for cell in state.things]
    did = [steps[step] if step >= 0 else step for step in state.did]
    return view._replace(state=state.replace(did=did, at=at, things=things))


def turned_action(view: DilemmaView, action: int, how: str) -> int:
    return STEPS[how][action]
