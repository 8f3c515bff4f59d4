"""CoinDilemma as a picture and as features."""

from mmgames.drawing.canvas import BLUE, GOLD, INK, RED, Colour, Pen, mix
from mmgames.games._dilemma import picture as dilemma
from mmgames.games._dilemma.picture import regions, shows  # noqa: F401 - part of this module
from mmgames.games._dilemma.several import SeveralLook
from mmgames.games._dilemma.tokens import COLOURS, DISC, NEUTRAL, SQUARE, grouped, shape, token
from mmgames.games.coin_dilemma.rules import CoinDilemma


def coin(pen: Pen, colour: Colour) -> None:
    """A gold coin with a gem of its owner's colour."""
    pen.disc(0.5, 0.5, 0.40, mix(GOLD, INK, 0.5))
    pen.disc(0.5, 0.5, 0.36, GOLD)
    pen.disc(0.5, 0.5, 0.30, mix(GOLD, INK, 0.22))
    pen.disc(0.5, 0.5, 0.27, mix(GOLD, (255, 255, 255), 0.35))
    pen.polygon([(0.5, 0.26), (0.72, 0.5), (0.5, 0.74), (0.28, 0.5)], colour)


def signed_coin(pen: Pen, which: int, colour: Colour) -> None:
    """A gold coin with the shape and colour of one of several owners."""
    pen.disc(0.5, 0.5, 0.46, mix(GOLD, INK, 0.5))
    pen.disc(0.5, 0.5, 0.42, mix(GOLD, (255, 255, 255), 0.35))
    shape(pen, which, 0.29, mix(colour, INK, 0.65))
    shape(pen, which, 0.23, colour)


RED_COIN, BLUE_COIN = (coin, RED), (coin, BLUE)
RED_PLAYER, BLUE_PLAYER = (dilemma.player, (0,)), (dilemma.player, (1,))
PAIR = dilemma.PairLook(
    things=(RED_COIN, BLUE_COIN),
    icons=((RED_PLAYER, RED_COIN), (RED_PLAYER, BLUE_COIN), (BLUE_PLAYER, RED_COIN), (BLUE_PLAYER, BLUE_COIN)),
)
ME, ANOTHER = (token, DISC, NEUTRAL), (token, SQUARE, NEUTRAL)
MY_COIN, ANOTHERS_COIN = (signed_coin, DISC, NEUTRAL), (signed_coin, SQUARE, NEUTRAL)
SEVERAL = SeveralLook(
    things=lambda players: tuple((signed_coin, owner, COLOURS[owner]) for owner in range(players)),
    kinds=((grouped, ME, MY_COIN), (grouped, ME, ANOTHERS_COIN), (grouped, ANOTHER, MY_COIN)),
)

draw, features, planes, sprites = dilemma.functions(CoinDilemma, PAIR, SEVERAL)
