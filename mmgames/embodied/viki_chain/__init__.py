"""One kitchen, three questions in a row: which robots act, what they do step by step, and which way two of them go."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
