"""A public good: apples grow only while somebody keeps the water clean, for which nobody is paid."""

from mmgames.core.spec import spec_in
from mmgames.games._commons import KIT

SPEC = spec_in(__name__, KIT)
