"""What there is to recognise in a picture of CoinDilemma."""

from mmgames.games._dilemma import elements as dilemma
from mmgames.games._dilemma.elements import NOTES  # noqa: F401 - part of this room
from mmgames.games.coin_dilemma.rules import CoinDilemma

elements = dilemma.elements(CoinDilemma, ("red coin", "blue coin"))
make_state = dilemma.make_state(
    CoinDilemma,
    lambda cells: not set(cells[:2]) & set(cells[2:]),  # nobody stands on a coin
)
