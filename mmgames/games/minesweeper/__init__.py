"""Open every cell of a field that hides no mine; numbers tell how many mines are near."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
