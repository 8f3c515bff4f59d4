"""A race of pieces across an 8×8 board: the first to reach the far side wins."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
