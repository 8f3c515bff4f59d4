"""How large the field of KnightsArchersZombies is in a picture."""

from mmgames.games.knights_archers_zombies.field import HIGH, WIDE

LEGIBLE = 300
"""In pictures of fewer pixels figures are too small to tell."""


def height(size: int) -> int:
    return size * HIGH // WIDE


def is_legible(size: int) -> bool:
    return size >= LEGIBLE
