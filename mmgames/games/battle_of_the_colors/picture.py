"""BattleOfTheColors as a picture and as features."""

from mmgames.drawing.canvas import BLUE, INK, RED, WHITE, Colour, Pen, mix
from mmgames.games._dilemma import picture as dilemma
from mmgames.games._dilemma.picture import regions, shows  # noqa: F401 - part of this module
from mmgames.games._dilemma.rules import BLUE as BLUE_SEAT
from mmgames.games._dilemma.rules import RED as RED_SEAT
from mmgames.games._dilemma.several import SeveralLook
from mmgames.games._dilemma.tokens import COLOURS, DISC, NEUTRAL, SQUARE, grouped, shape, token
from mmgames.games.battle_of_the_colors.rules import BattleOfTheColors


def block(pen: Pen, colour: Colour) -> None:
    """A cube seen from above and in front."""
    pen.polygon([(0.10, 0.30), (0.26, 0.12), (0.90, 0.12), (0.74, 0.30)], mix(colour, WHITE, 0.45))
    pen.polygon([(0.74, 0.30), (0.90, 0.12), (0.90, 0.72), (0.74, 0.90)], mix(colour, INK, 0.45))
    pen.rect(0.10, 0.30, 0.745, 0.90, colour)
    pen.rect(0.18, 0.38, 0.665, 0.82, None, mix(colour, WHITE, 0.35), 0.035)


def signed_block(pen: Pen, which: int, colour: Colour) -> None:
    """A cube with the shape of one of several owners on its front."""
    block(pen, colour)
    pen.rect(0.10, 0.30, 0.745, 0.90, colour)
    shape(pen.part(0.1, 0.28, 0.65), which, 0.34, INK if sum(colour) > 420 else WHITE)


RED_BLOCK, BLUE_BLOCK = (block, RED), (block, BLUE)
BOTH_PLAYERS = (dilemma.player, (RED_SEAT, BLUE_SEAT))
TWO_BLOCKS = (dilemma.stacked, (RED_BLOCK, BLUE_BLOCK))
TWO_PLAYERS = (dilemma.stacked, ((dilemma.player, (RED_SEAT,)), (dilemma.player, (BLUE_SEAT,))))
PAIR = dilemma.PairLook(
    things=(RED_BLOCK, BLUE_BLOCK),
    icons=((BOTH_PLAYERS, RED_BLOCK), (BOTH_PLAYERS, BLUE_BLOCK), (TWO_PLAYERS, TWO_BLOCKS)),
)
ME, ANOTHER = (token, DISC, NEUTRAL), (token, SQUARE, NEUTRAL)
MY_BLOCK, ANOTHERS_BLOCK = (signed_block, DISC, NEUTRAL), (signed_block, SQUARE, NEUTRAL)
SEVERAL = SeveralLook(
    things=lambda players: tuple((signed_block, owner, COLOURS[owner]) for owner in range(players)),
    kinds=(
        (grouped, ME, ANOTHER, MY_BLOCK),
        (grouped, ME, ANOTHER, ANOTHERS_BLOCK),
        (grouped, ME, ANOTHER, MY_BLOCK, ANOTHERS_BLOCK),
    ),
)

draw, features, planes, sprites = dilemma.functions(BattleOfTheColors, PAIR, SEVERAL)
