"""Open every cell of a field that hides no mine; numbers tell how many mines are near.

## Description
A square field hides mines. Opening a cell shows how many of its neighbours hold one, and from these numbers the
player works out what is safe. Sometimes they do not suffice and the least dangerous cell has to be guessed, so the
game asks for logic first and for probabilities after that.

## Rules
- `reveal` opens a cell. With a mine in it the game is lost. Otherwise it shows the number of mines among its up to
  eight neighbours, and a 0 opens all its neighbours by itself.
- The first cell that is opened is never a mine: the mines are laid at that moment, any placement on the other cells
  being equally likely. With `first="zero"` its neighbours are free of mines as well.
- `flag` marks a closed cell. A flag is a note and changes nothing: it stays until its cell is opened, and the cell
  may be opened as before.
- The game is won when all cells without a mine are open; flags are not needed for that.
- `level` chooses the field: `8x8` with 10 mines, `12x12` with 30, `16x16` with 40.

## Actions
Two actions for each cell (128 on 8×8): first all cells to open, row by row from the top left, then all cells to flag.
They are named `reveal A1` and `flag A1`: the letter is the row, A at the top, the number is the column, 1 on the
left. A reply that is only a cell, `A1` or `1A`, opens it. Open cells and second flags are illegal.

## Observation
The picture shows the field with its row letters and column numbers: closed cells are raised, open ones show their
number (a 0 stays blank), flags are red, and the cell of the last move is gold. When the game is lost all mines are
shown, the fatal one on red, and wrong flags are crossed out; when it is won all mines carry flags. A spectator also
sees where the mines are. Features (769 on 8×8): for each cell twelve that are 1 or 0 (closed, flagged, a shown mine,
the numbers 0 to 8), and the mines without a flag as a share of all mines, -1 at the least. Planes (13): the same, one
for each of the twelve and one filled with the share.

## Rewards
1 at the end of a game that is won, 0 for one that is lost.

## Episode end
Terminates with a mine or when every other cell is open, after twice as many moves as there are cells at the most.

## Agents
`solver` knows the exact probability of a mine in every cell. It opens what is safe; when it has to guess it takes the
least risk, and towards the end it plays out all that can still be true and takes the best move there is. It wins
about 82 % of the games on 8×8, 90 % with `first="zero"`.

## Source
One of the six games of LVLM-Playground, which has the three fields.
"""

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
