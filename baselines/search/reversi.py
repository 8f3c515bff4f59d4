"""Reversi: the opponent of LVLM-Playground."""

from __future__ import annotations

from mmgames.baselines.search.minimax import Minimax
from mmgames.core.game import Game
from mmgames.games.reversi.kernel import DISC_KERNEL
from mmgames.kernels.kernel_game import Kernel


class DiscMinimax(Minimax):
    """Minimax that judges positions by the difference in discs, 3 moves ahead unless `depth` is given."""

    def kernel(self, game: Game) -> Kernel | None:
        return DISC_KERNEL
