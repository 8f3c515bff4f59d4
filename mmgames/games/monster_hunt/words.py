"""MonsterHunt in words."""

from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.monster_hunt.rules import MonsterHunt

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def things(setup: Setup) -> list[str]:
    return [*(f"{which} apple" for which in ORDINALS[: setup.players]), "monster"]


rules = dilemma.rules(
    MonsterHunt,
    "Two apples and a monster are on the grid. In every step, after you two have moved, the monster goes one cell "
    "towards the nearer player. A player who stands on an apple eats it for 2 points. If both of you stand on the "
    "monster's cell you defeat it for 5 points each and it comes back elsewhere; a player who is there alone loses "
    "2 points and is put on a random free cell. Eaten apples, and apples the monster tramples, come back elsewhere.",
    "As many apples as players and a monster are on the grid. In every step, after all have moved, the monster goes "
    "one cell towards the nearest player. Players who stand on an apple eat it; if there are several, each of them "
    "eats. If two or more players stand on the monster's cell they defeat it, and it comes back elsewhere; a player "
    "who is there alone is hurt and put on a random free cell. Eaten apples, and apples the monster tramples, come "
    "back elsewhere.",
)
ICONS = "A green apple is an apple, and the purple face with horns and teeth is the monster."
legend = dilemma.legend(ICONS, ICONS)
describe = dilemma.describe(MonsterHunt, things)
unseen = dilemma.unseen(MonsterHunt, things)
