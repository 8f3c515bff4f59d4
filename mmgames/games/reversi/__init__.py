"""Discs that turn over: enclose the other's discs on an 8×8 board and own most of them at the end."""

from mmgames.core.spec import Agents, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="Reversi",
    package=__name__,
    summary="enclose discs and turn them over",
    seats=("black", "white"),
    outcome=Outcome(can_be_drawn=True),
    length=119,
    source="LVLM-Playground",
    agents=Agents(
        {"disc_minimax": "mmgames.baselines.search.reversi:DiscMinimax"},
        reference=("minimax",),
        quick=("minimax:depth=2",),
    ),
    looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes"),
)
