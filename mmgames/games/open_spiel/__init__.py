"""Any game of OpenSpiel whose players move in turn: `game="leduc_poker"`, `game="hex(board_size=5)"`."""

from mmgames.core.spec import GameSpec, Option

SPEC = GameSpec(
    name="OpenSpiel",
    package=__name__,
    summary="any turn-taking game of OpenSpiel, Connect Four unless you choose another",
    seats=("player_0", "player_1"),
    dynamics="sequential",
    information="perfect",
    utility="zero_sum",
    actions="discrete",
    length=42,
    source="OpenSpiel",
    family="OpenSpiel",
    options={"game": Option("connect_four", "OpenSpiel's name of a game, with parameters or without")},
)
