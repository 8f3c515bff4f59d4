"""CoinDilemma as a picture and as features."""

from __future__ import annotations

from typing import Any

import numpy as np

from mmgames.drawing.canvas import BLUE, GOLD, INK, RED, Colour, Pen, mix
from mmgames.games._dilemma import picture as dilemma
from mmgames.games._dilemma.picture import regions, shows  # noqa: F401 - part of this room
from mmgames.games._dilemma.rules import DilemmaView, num_features, num_planes
from mmgames.games.coin_dilemma.rules import COINS, EVENTS
from mmgames.games.coin_dilemma.rules import features as write
from mmgames.games.coin_dilemma.rules import planes as write_planes
from mmgames.kernels.sprites import SpriteSheet


def coin(pen: Pen, colour: Colour) -> None:
    """A gold coin with a gem of its owner's colour."""
    pen.disc(0.5, 0.5, 0.40, mix(GOLD, INK, 0.5))
    pen.disc(0.5, 0.5, 0.36, GOLD)
    pen.disc(0.5, 0.5, 0.30, mix(GOLD, INK, 0.22))
    pen.disc(0.5, 0.5, 0.27, mix(GOLD, (255, 255, 255), 0.35))
    pen.polygon([(0.5, 0.26), (0.72, 0.5), (0.5, 0.74), (0.28, 0.5)], colour)


RED_COIN, BLUE_COIN = (coin, RED), (coin, BLUE)
RED_PLAYER, BLUE_PLAYER = (dilemma.player, (0,)), (dilemma.player, (1,))
LOOK = dilemma.DilemmaLook(
    things=(RED_COIN, BLUE_COIN),
    icons=(
        (RED_PLAYER, RED_COIN),
        (RED_PLAYER, BLUE_COIN),
        (BLUE_PLAYER, RED_COIN),
        (BLUE_PLAYER, BLUE_COIN),
    ),
    events=EVENTS,
)


def draw(view: DilemmaView, size: int = 512) -> np.ndarray:
    return dilemma.draw(view, size, LOOK)


def features(view: DilemmaView) -> np.ndarray:
    return dilemma.features(view, write, num_features(COINS))


def planes(view: DilemmaView) -> np.ndarray:
    return dilemma.planes(view, write_planes, num_planes(COINS))


def sprites(game: Any, size: int) -> SpriteSheet:
    return dilemma.sheet(size, LOOK)
