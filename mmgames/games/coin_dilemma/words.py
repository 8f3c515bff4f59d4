"""CoinDilemma in words."""

from mmgames.core.game_modules import said
from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import SIDE, Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.coin_dilemma.rules import CoinDilemma
from mmgames.text.prose import paragraphs

PLACES = tuple(dilemma.place(y * SIDE + x) for y in reversed(range(SIDE)) for x in range(SIDE))
CODES = {
    0: "an empty cell",
    1: "the red player",
    2: "the blue player",
    3: "both players",
    4: "the red coin",
    5: "the blue coin",
}


def things(setup: Setup) -> list[str]:
    return [f"{role} coin" for role in setup.roles]


_SAID = paragraphs(__package__, "words")
(goal,) = said(__package__, "goal")
rules = dilemma.rules(CoinDilemma, _SAID["rules"], _SAID["rules, several players"])
legend = dilemma.legend(
    "A gold coin with a red or a blue gem is the coin of that colour.",
    "A gold coin with a player's colour and shape on it is the coin of that player.",
)
describe = dilemma.describe(CoinDilemma, things)
unseen = dilemma.unseen(CoinDilemma, things)
