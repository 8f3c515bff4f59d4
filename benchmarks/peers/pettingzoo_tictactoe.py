"""PettingZoo's tic-tac-toe."""

from _pettingzoo import tell
from pettingzoo.classic import tictactoe_v3

tell(tictactoe_v3, "tictactoe_v3", "TicTacToe")
