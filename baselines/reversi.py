"""Reversi: the opponent of LVLM-Playground."""

from __future__ import annotations

from mmgames.baselines.minimax import Minimax
from mmgames.core.board import Board
from mmgames.core.game import Game
from mmgames.games.reversi.board import DISC_BOARD


class DiscMinimax(Minimax):
    """Minimax that judges positions by the difference in discs, 3 moves ahead unless `depth` is given."""

    def board(self, game: Game) -> Board | None:
        return DISC_BOARD
