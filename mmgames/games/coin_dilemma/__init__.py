"""Players collect coins on a grid; taking another's coin pays, but costs the other more."""

from mmgames.core.spec import spec_in
from mmgames.games._dilemma import KIT, pays_of

SPEC = spec_in(__name__, KIT)
PAYS = pays_of(SPEC)
