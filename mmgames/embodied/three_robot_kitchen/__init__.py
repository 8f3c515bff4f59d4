"""Three robots serve an apple: an arm fills the bowl, a mobile robot comes for it, a humanoid rings the bell."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
