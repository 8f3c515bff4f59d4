"""CoinDilemma in words."""

from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import SIDE, Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.coin_dilemma.rules import CoinDilemma

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


rules = dilemma.rules(
    CoinDilemma,
    "One red and one blue coin lie on the grid. Whoever stands on a coin after a step collects it for 1 point; if "
    "the coin has the other player's colour, the other player loses 2 points. If both stand on it, both collect it. "
    "A collected coin comes back on a random free cell.",
    "A coin of each player's colour lies on the grid. Whoever stands on a coin after a step collects it; if the "
    "coin has another player's colour, that changes that player's points too. If several stand on it, all of them "
    "collect it, and its owner's points change for each of the others. A collected coin comes back on a random free "
    "cell.",
)
legend = dilemma.legend(
    "A gold coin with a red or a blue gem is the coin of that colour.",
    "A gold coin with a player's colour and shape on it is the coin of that player.",
)
describe = dilemma.describe(CoinDilemma, things)
unseen = dilemma.unseen(CoinDilemma, things)
