"""A battle of the sexes on a grid: meeting pays both, but each would rather meet on its own colour."""

from mmgames.core.spec import spec_in
from mmgames.games._dilemma import KIT, pays_of

SPEC = spec_in(__name__, KIT)
PAYS = pays_of(SPEC)
