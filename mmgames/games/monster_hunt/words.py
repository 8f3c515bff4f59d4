"""MonsterHunt in words."""

from mmgames.core.game_modules import said
from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.monster_hunt.rules import MonsterHunt
from mmgames.text.prose import paragraphs

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def things(setup: Setup) -> list[str]:
    return [*(f"{which} apple" for which in ORDINALS[: setup.players]), "monster"]


_SAID = paragraphs(__package__, "words")
(goal,) = said(__package__, "goal")
rules = dilemma.rules(MonsterHunt, _SAID["rules"], _SAID["rules, several players"])
ICONS = "A green apple is an apple, and the purple face with horns and teeth is the monster."
legend = dilemma.legend(ICONS, ICONS)
describe = dilemma.describe(MonsterHunt, things)
unseen = dilemma.unseen(MonsterHunt, things)
