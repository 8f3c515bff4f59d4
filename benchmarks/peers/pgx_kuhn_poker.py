"""pgx's Kuhn poker."""

from _pgx import tell

tell("kuhn_poker", "mmgames/KuhnPoker-v0", (4096, 16384, 65536), steps=50)
