"""Three in a row on a board of nine cells; X begins, or O."""

from mmgames.core.spec import Agents, Option, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="TicTacToe",
    package=__name__,
    summary="three in a row on nine cells",
    seats=("x", "o"),
    outcome=Outcome(can_be_drawn=True),
    length=9,
    source="LVLM-Playground; VS-Bench (mini)",
    options={"begins": Option("x", "whose mark the first seat has, which begins", choices=("x", "o"))},
    agents=Agents(reference=("minimax",)),
    looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes"),
)
