"""CoinDilemma in words."""

from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.rules import SIDE
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this room
from mmgames.games.coin_dilemma.rules import EVENTS

PLACES = tuple(dilemma.place(y * SIDE + x) for y in reversed(range(SIDE)) for x in range(SIDE))
CODES = {
    0: "an empty cell",
    1: "the red player",
    2: "the blue player",
    3: "both players",
    4: "the red coin",
    5: "the blue coin",
}

rules = dilemma.rules(
    "One red and one blue coin lie on the grid. Whoever stands on a coin after a step collects it for 1 point; if "
    "the coin has the other player's colour, the other player loses 2 points. If both stand on it, both collect it. "
    "A collected coin comes back on a random free cell.",
    EVENTS,
)
legend = dilemma.legend("A gold coin with a red or a blue gem is the coin of that colour.")
describe = dilemma.describe(("red coin", "blue coin"), EVENTS)
