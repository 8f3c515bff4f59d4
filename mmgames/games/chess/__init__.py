"""Chess by the full rules, with moves in coordinates."""

from mmgames.core.spec import Agents, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="Chess",
    package=__name__,
    summary="the full game, moves in coordinates",
    seats=("white", "black"),
    outcome=Outcome(can_be_drawn=True),
    length=11_800,
    source="LVLM-Playground",
    extras=("chess",),
    agents=Agents(
        {"alpha_beta": "mmgames.baselines.search.chess:AlphaBeta", "uci": "mmgames.baselines.search.uci:Uci"},
        reference=("alpha_beta",),
        quick=("alpha_beta:nodes=200",),
    ),
    looks=("night", "swapped"),
)
