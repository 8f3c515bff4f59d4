"""Chess by the full rules, with moves in coordinates."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
