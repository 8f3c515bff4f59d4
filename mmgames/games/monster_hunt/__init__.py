"""A stag hunt on a grid: safe apples for oneself, or a monster that only two can beat."""

from mmgames.core.spec import spec_in
from mmgames.games._dilemma import KIT, pays_of

SPEC = spec_in(__name__, KIT)
PAYS = pays_of(SPEC)
