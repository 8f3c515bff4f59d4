"""Nine digits in every row, column and box of a 9×9 grid that has exactly one solution."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
