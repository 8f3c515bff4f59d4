"""What there is to recognise in a picture of BattleOfTheColors."""

from mmgames.games._dilemma import elements as dilemma
from mmgames.games._dilemma.elements import NOTES  # noqa: F401 - part of this room
from mmgames.games.battle_of_the_colors.rules import BattleOfTheColors

elements = dilemma.elements(BattleOfTheColors, ("red block", "blue block"))
make_state = dilemma.make_state(
    BattleOfTheColors,
    lambda cells: not {*cells[:2]} <= {*cells[2:]},  # one alone may stand on a block
)
