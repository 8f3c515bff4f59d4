"""How the grid is shown turned, and with players of other shapes."""

from mmgames.games._dilemma.looks import PIECE_WORDS, pieces_of, turned, turned_action
from mmgames.games.coin_dilemma.picture import draw

__all__ = ["PIECE_WORDS", "draw_pieces", "turned", "turned_action"]

draw_pieces = pieces_of(draw)
