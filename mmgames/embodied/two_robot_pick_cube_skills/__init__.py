"""Two robot arms bring a cube to a point in the air that neither reaches alone, told skill by skill."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
