"""Nine digits in every row, column and box of a 9×9 grid that has exactly one solution."""

from mmgames.core.spec import Agents, GameSpec, Option

SPEC = GameSpec(
    name="Sudoku",
    package=__name__,
    summary="fill a 9×9 grid that has one solution",
    seats=("player",),
    dynamics="sequential",
    information="perfect",
    utility="general_sum",
    actions="discrete",
    length=57,
    source="LVLM-Playground",
    family="board games",
    chance="incidental",
    options={
        "difficulty": Option(
            "any",
            "how many digits are printed: any 27-41, easy 37-41, medium 32-36, hard 27-31",
            choices=("any", "easy", "medium", "hard"),
        ),
        "clues": Option(0, "an exact number of printed digits, 24 to 80; 0: as the difficulty says", low=0, high=80),
    },
    agents=Agents({"solver": "mmgames.baselines.planners.sudoku:Solver"}, reference=("solver",)),
)
