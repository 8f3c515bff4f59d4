"""How the grid is shown turned, and with players of other shapes."""

from mmgames.games._dilemma.looks import PIECE_WORDS, pieces_of, turns
from mmgames.games.monster_hunt.picture import draw

__all__ = ["PIECE_WORDS", "draw_pieces", "turned", "turned_action"]

turned, turned_action = turns("apples", "monster")
draw_pieces = pieces_of(draw)
