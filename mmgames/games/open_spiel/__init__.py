"""Any game of OpenSpiel whose players move in turn: `game="leduc_poker"`, `game="hex(board_size=5)"`."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
