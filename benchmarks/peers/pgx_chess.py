"""pgx's chess."""

from _pgx import tell

tell("chess", "mmgames/Chess-v0", (256, 1024), steps=20)
