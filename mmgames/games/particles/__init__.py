"""Players as particles on a plane: they spread, chase, push, deceive and talk, in eight scenarios."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
