"""BattleOfTheColors in words."""

from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this room
from mmgames.games.battle_of_the_colors.rules import EVENTS

rules = dilemma.rules(
    "One red and one blue block lie on the grid. If both of you stand on the same block after a step, both are paid, "
    "the player of that colour more, and the block comes back on another cell. If you stand on different blocks, "
    "nobody is paid and both blocks come back elsewhere. Standing on a block alone does nothing.",
    EVENTS,
)
legend = dilemma.legend("A cube is the block of its colour.")
describe = dilemma.describe(("red block", "blue block"), EVENTS)
