"""What the board games for two share: they move in turns, hide nothing, and what one wins the other loses."""

from functools import partial

from mmgames.core.spec import GameSpec

board_game = partial(
    GameSpec, dynamics="sequential", information="perfect", utility="zero_sum", actions="discrete",
    family="board games", batched=True,
)  # fmt: skip
"""The spec of such a game; it says the rest."""
