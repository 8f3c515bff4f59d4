"""BattleOfTheColors in words."""

from mmgames.core.game_modules import said
from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.battle_of_the_colors.rules import BattleOfTheColors
from mmgames.text.prose import paragraphs


def things(setup: Setup) -> list[str]:
    return [f"{role} block" for role in setup.roles]


_SAID = paragraphs(__package__, "words")
(goal,) = said(__package__, "goal")
rules = dilemma.rules(BattleOfTheColors, _SAID["rules"], _SAID["rules, several players"])
legend = dilemma.legend("A cube is the block of its colour.", "A cube with a player's colour and shape is its block.")
describe = dilemma.describe(BattleOfTheColors, things)
unseen = dilemma.unseen(BattleOfTheColors, things)
