"""What there is to recognise in a picture of MonsterHunt."""

from mmgames.games._dilemma import elements as dilemma
from mmgames.games._dilemma.elements import NOTES  # noqa: F401 - part of this room
from mmgames.games.monster_hunt.rules import MonsterHunt

elements = dilemma.elements(MonsterHunt, ("apples", "apples", "monster"))
make_state = dilemma.make_state(
    MonsterHunt,
    lambda cells: not set(cells[:2]) & set(cells[2:]),  # all that is met is gone
)
