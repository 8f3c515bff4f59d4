"""PettingZoo's chess and tic-tac-toe."""

from _pettingzoo import tell
from pettingzoo.classic import chess_v6, tictactoe_v3

tell(chess_v6, "chess_v6", "Chess")
tell(tictactoe_v3, "tictactoe_v3", "TicTacToe")
