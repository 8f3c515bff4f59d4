"""Pieces of another make: Black's are squares, White's diamonds, whatever the game."""

from mmgames.drawing.canvas import BLACK as SOOT
from mmgames.drawing.canvas import INK, Colour, Pen
from mmgames.drawing.canvas import WHITE as CHALK

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
