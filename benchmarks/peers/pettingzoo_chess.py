"""PettingZoo's chess."""

from _pettingzoo import tell
from pettingzoo.classic import chess_v6

tell(chess_v6, "chess_v6", "Chess")
