"""pgx's chess, Kuhn poker, Othello and tic-tac-toe."""

from _pgx import tell

tell("chess", "mmgames/Chess-v0", (256, 1024), steps=20)
tell("kuhn_poker", "mmgames/KuhnPoker-v0", (4096, 16384, 65536), steps=50)
tell("othello", "mmgames/Reversi-v0", (256, 1024, 4096), steps=50)
tell("tic_tac_toe", "mmgames/TicTacToe-v0", (4096, 16384, 65536), steps=50)
