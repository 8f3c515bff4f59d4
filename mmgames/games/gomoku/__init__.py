"""Five in a row on a board of 15×15 points; black begins."""

from mmgames.core.spec import Agents, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="Gomoku",
    package=__name__,
    summary="five in a row on a board of 15×15",
    seats=("black", "white"),
    outcome=Outcome(can_be_drawn=True),
    length=225,
    source="LVLM-Playground",
    agents=Agents(reference=("minimax",), quick=("minimax:depth=1",)),
    looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes"),
)
