"""MonsterHunt in words."""

from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this room
from mmgames.games.monster_hunt.rules import EVENTS

rules = dilemma.rules(
    "Two apples and a monster are on the grid. In every step, after you two have moved, the monster goes one cell "
    "towards the nearer player. A player who stands on an apple eats it for 2 points. If both of you stand on the "
    "monster's cell you defeat it for 5 points each and it comes back elsewhere; a player who is there alone loses "
    "2 points and is put on a random free cell. Eaten apples, and apples the monster tramples, come back elsewhere.",
    EVENTS,
)
legend = dilemma.legend("A green apple is an apple, and the purple face with horns and teeth is the monster.")
describe = dilemma.describe(("first apple", "second apple", "monster"), EVENTS)
