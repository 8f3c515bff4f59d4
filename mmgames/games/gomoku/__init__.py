"""Five in a row on a board of 15×15 points; black begins."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
