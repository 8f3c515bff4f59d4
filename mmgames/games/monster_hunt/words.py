"""MonsterHunt in words."""

from mmgames.core.game_modules import always
from mmgames.games._dilemma import words as dilemma
from mmgames.games._dilemma.setup import Setup
from mmgames.games._dilemma.words import history, names, notation, you  # noqa: F401 - part of this module
from mmgames.games.monster_hunt.rules import MonsterHunt
from mmgames.text.prose import paragraphs

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def things(setup: Setup) -> list[str]:
    return [*(f"{which} apple" for which in ORDINALS[: setup.players]), "monster"]


_SAID = paragraphs(__package__, "words")
rules = dilemma.rules(MonsterHunt, _SAID["rules"], _SAID["rules, several players"])
goal = always(
    "Eat apples alone, or the monster together with another: whoever is alone with it loses points. "
    "Collect as many points for yourself as you can."
)
ICONS = "A green apple is an apple, and the purple face with horns and teeth is the monster."
legend = dilemma.legend(ICONS, ICONS)
describe = dilemma.describe(MonsterHunt, things)
unseen = dilemma.unseen(MonsterHunt, things)
