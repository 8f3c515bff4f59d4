"""pgx's Othello."""

from _pgx import tell

tell("othello", "mmgames/Reversi-v0", (256, 1024, 4096), steps=50)
