"""Open every cell of a field that hides no mine; numbers tell how many mines are near."""

from mmgames.core.spec import Agents, GameSpec, Option

SPEC = GameSpec(
    name="Minesweeper",
    package=__name__,
    summary="open every cell without a mine",
    seats=("player",),
    dynamics="sequential",
    information="imperfect",
    utility="general_sum",
    actions="discrete",
    length=472,
    source="LVLM-Playground",
    family="board games",
    chance="incidental",
    options={
        "level": Option(
            "8x8", "the field: 8x8 with 10 mines, 12x12 with 30, 16x16 with 40", choices=("8x8", "12x12", "16x16")
        ),
        "first": Option(
            "safe",
            "the first opened cell: safe is not a mine, zero has no mine beside it either",
            choices=("safe", "zero"),
        ),
    },
    agents=Agents({"solver": "mmgames.baselines.planners.minesweeper:Solver"}, reference=("solver",)),
)
