"""A commons of apples: they grow back the sooner the more of them are left, and not at all where all are eaten."""

from mmgames.core.spec import spec_in
from mmgames.games._commons import KIT

SPEC = spec_in(__name__, KIT)
