"""pgx's chess, Kuhn poker, Othello and tic-tac-toe."""

from _pgx import tell

tell("chess", "Chess", (256, 1024), steps=20)
tell("kuhn_poker", "KuhnPoker", (4096, 16384, 65536), steps=50)
tell("othello", "Reversi", (256, 1024, 4096), steps=50)
tell("tic_tac_toe", "TicTacToe", (4096, 16384, 65536), steps=50)
