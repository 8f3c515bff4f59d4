"""A race of pieces across an 8×8 board: the first to reach the far side wins."""

from mmgames.core.spec import Agents
from mmgames.games._board import board_game

SPEC = board_game(
    name="Breakthrough",
    package=__name__,
    summary="two armies race to the far side",
    seats=("black", "white"),
    length=209,
    source="VS-Bench",
    agents=Agents(reference=("minimax",), quick=("minimax:depth=2",)),
    looks=("mirrored", "night", "swapped", "shapes"),
)
