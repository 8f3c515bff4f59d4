"""BattleOfTheColors in words."""

from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.battle_of_the_colors.rules import BattleOfTheColors


def things(setup: Setup) -> list[str]:
    return [f"{role} block" for role in setup.roles]


rules = dilemma.rules(
    BattleOfTheColors,
    "One red and one blue block lie on the grid. If both of you stand on the same block after a step, both are paid, "
    "the player of that colour more, and the block comes back on another cell. If you stand on different blocks, "
    "nobody is paid and both blocks come back elsewhere. Standing on a block alone does nothing.",
    "A block of each player's colour lies on the grid. If two or more players stand on the same block after a step, "
    "they meet: each of them is paid once for every other player there, and the block comes back on another cell. A "
    "player who stands on a block alone while somebody is on another block misses the others: that block comes back "
    "elsewhere too. If nobody is on another block, standing on one alone does nothing.",
)
legend = dilemma.legend("A cube is the block of its colour.", "A cube with a player's colour and shape is its block.")
describe = dilemma.describe(BattleOfTheColors, things)
unseen = dilemma.unseen(BattleOfTheColors, things)
