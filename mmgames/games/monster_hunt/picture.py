"""MonsterHunt as a picture and as features."""

from mmgames.drawing.canvas import INK, WHITE, Colour, Pen, mix
from mmgames.games._dilemma import picture as dilemma
from mmgames.games._dilemma.picture import regions, shows  # noqa: F401 - part of this module
from mmgames.games._dilemma.several import SeveralLook
from mmgames.games._dilemma.tokens import DISC, NEUTRAL, SQUARE, grouped, token
from mmgames.games.monster_hunt.rules import MonsterHunt

LEAF: Colour = (74, 140, 56)
FRUIT: Colour = (126, 178, 44)
FUR: Colour = (116, 66, 150)


def apple(pen: Pen, colour: Colour) -> None:
    dark = mix(colour, INK, 0.45)
    for x in (0.38, 0.62):
        pen.ellipse(x, 0.58, 0.25, 0.29, dark)
    for x in (0.38, 0.62):
        pen.ellipse(x, 0.58, 0.215, 0.255, colour)
    pen.ellipse(0.33, 0.48, 0.05, 0.09, mix(colour, WHITE, 0.6))
    pen.line([(0.5, 0.36), (0.53, 0.16)], mix(INK, (120, 80, 30), 0.6), 0.06)
    pen.polygon([(0.54, 0.26), (0.66, 0.12), (0.82, 0.16), (0.70, 0.28)], LEAF)


def monster(pen: Pen, colour: Colour) -> None:
    dark = mix(colour, INK, 0.5)
    for left, tip, right in ((0.16, 0.14, 0.40), (0.60, 0.86, 0.84)):
        pen.polygon([(left, 0.36), (tip, 0.06), (right, 0.26)], dark)
    pen.rect(0.11, 0.18, 0.89, 0.88, dark, radius=0.28)
    pen.rect(0.15, 0.22, 0.85, 0.84, colour, radius=0.25)
    for x in (0.35, 0.65):
        pen.disc(x, 0.43, 0.12, WHITE)
        pen.disc(x, 0.45, 0.055, INK)
    pen.rect(0.27, 0.62, 0.73, 0.76, INK, radius=0.05)
    for x in (0.33, 0.45, 0.57):
        pen.polygon([(x, 0.62), (x + 0.10, 0.62), (x + 0.05, 0.71)], WHITE)


APPLE, MONSTER = (apple, FRUIT), (monster, FUR)
RED_PLAYER, BLUE_PLAYER, BOTH_PLAYERS = ((dilemma.player, seats) for seats in ((0,), (1,), (0, 1)))
PAIR = dilemma.PairLook(
    things=(APPLE, APPLE, MONSTER),
    icons=(
        (RED_PLAYER, APPLE),
        (BLUE_PLAYER, APPLE),
        (RED_PLAYER, MONSTER),
        (BLUE_PLAYER, MONSTER),
        (BOTH_PLAYERS, MONSTER),
    ),
)
ME, ANOTHER = (token, DISC, NEUTRAL), (token, SQUARE, NEUTRAL)
SEVERAL = SeveralLook(
    things=lambda players: (*(APPLE,) * players, MONSTER),
    kinds=((grouped, ME, APPLE), (grouped, ME, MONSTER), (grouped, ME, ANOTHER, MONSTER)),
)

draw, features, planes, sprites = dilemma.functions(MonsterHunt, PAIR, SEVERAL)
