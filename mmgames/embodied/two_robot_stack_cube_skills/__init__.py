"""Two robot arms build a tower of two cubes on a target, told skill by skill."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
