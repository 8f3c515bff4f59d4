"""Reversi: the opponent of LVLM-Playground."""

from dataclasses import replace

from mmgames.baselines.search.minimax import Minimax
from mmgames.core.game import Game
from mmgames.games.reversi.rules import CELLS, KERNEL, lead
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import Kernel


@kernel
def discs(state):
    """Black's discs less white's, over more than there can be."""
    return lead(state) / (CELLS + 1)


DISC_KERNEL = replace(KERNEL, evaluate=discs)


class DiscMinimax(Minimax):
    """Minimax that judges positions by the difference in discs, 3 moves ahead unless `depth` is given."""

    def kernel(self, game: Game) -> Kernel | None:
        return DISC_KERNEL
