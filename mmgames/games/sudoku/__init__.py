"""Nine digits in every row, column and box of a 9×9 grid that has exactly one solution.

## Description
A grid of nine by nine cells comes with some digits printed in it. The player fills in the others, one at a time. All
that is needed is on the board, and a digit that fits for the moment may still be wrong, so every entry has to be
reasoned out to the end.

## Rules
- A move writes a digit from 1 to 9 into an empty cell. It must not stand already in the same row, column or 3×3 box.
- What is written stays: neither the printed digits nor the player's own can be changed.
- The puzzle has exactly one solution. A digit that clashes with nothing is legal even if the solution has another one
  there; then the grid cannot be filled any more, and the game goes on until no digit fits anywhere.
- `difficulty` chooses how many digits are printed: `any` 27 to 41, `easy` 37 to 41, `medium` 32 to 36, `hard` 27 to 31.
  `clues=30` asks for an exact number, 24 to 80; a difficulty given with it must have that number in its range.

## Actions
729 actions, `cell * 9 + digit - 1`, cells being counted row by row from the top left. They are named by the cell and
the digit, such as `A1 5`: the letter is the row, A to I from the top, the number is the column, 1 to 9 from the left.
Replies may also write `A1=5`, `A1: 5` or `1A 5`.

## Observation
The picture shows the grid with its row letters and column numbers: printed digits are black on grey, the player's own
are blue, and the cell of the last move is gold. When the game is lost, empty cells that no digit fits are red.
Features (810), each 0 or 1: for each cell nine for its digit (729), and whether that digit is printed (81). Planes
(10): the same, one for each digit and one for what is printed.

## Rewards
1 at the end for a full grid, 0 for one that got stuck.

## Episode end
Terminates when the grid is full (won) or when no digit fits into any empty cell (lost), after 57 moves at the most.

## Agents
`solver` works out the whole solution and fills in the cell that leaves the least choice; it always wins.

## Source
One of the six games of LVLM-Playground. The puzzles are made by this package's own generator.
"""

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
