"""Three in a row on a board of nine cells; X begins, or O."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
