"""pgx's tic-tac-toe."""

from _pgx import tell

tell("tic_tac_toe", "mmgames/TicTacToe-v0", (4096, 16384, 65536), steps=50)
