"""Discs that turn over: enclose the other's discs on an 8×8 board and own most of them at the end.

## Description
Every move encloses discs of the other player between two own ones and turns them over. A lead in discs means little
before the end, since whole rows change hands in a single move; corners, which can never be turned again, mean much.

## Rules
- Two discs of each colour begin in the middle: black on D5 and E4, white on D4 and E5. Black moves first.
- A move puts a disc on an empty cell so that it encloses discs of the other colour, in at least one straight line,
  between itself and another own disc. All discs enclosed in any of the eight directions turn over.
- Whoever has no such move must pass; nobody may pass otherwise. When neither can move, the game is over.
- More discs win. Equal numbers are a draw.

## Actions
65 actions: one per cell, row by row from the top left, and 64 for `pass`. Cells are named `A1` to `H8`: the letter is
the row, A at the top; the number is the column, 1 on the left. Replies may also say `1A` for `A1`.

## Observation
The picture shows the board with its row letters and column numbers; the cell of the last move is gold. Neither the
legal moves nor the numbers of discs are drawn. Features (130), each 0 or 1: own discs (64) and the other's discs (64),
row by row from the top left, own turn (1), the seat (1, which is 1 for white). Planes (4): the same, single numbers
filling a plane.

## Rewards
+1 for the winner and -1 for the loser at the end, 0 for both in a draw.

## Episode end
Terminates when neither player can move, after 119 moves with passes at the most; nearly always after about 60.

## Agents
`minimax` looks 3 moves ahead (`minimax:depth=5` more) and judges positions by corners and by the moves each side has;
it won 987 of 1,000 games against random play. `disc_minimax` looks as far and judges by the difference in discs, as
LVLM-Playground's opponent does; that is a poor guide before the end, and it won 798 of 1,000. `mcts` searches 100
simulations with 10 random games each. All run compiled. `alphazero` searches 64 positions with a network that learned
from self-play; it won 98 of 100 games against `minimax`.

## Source
One of the six games of LVLM-Playground, whose opponent looks 3 moves ahead too; the rules agree with
OpenSpiel's `othello`.
"""

from mmgames.core.spec import Agents, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="Reversi",
    package=__name__,
    summary="enclose discs and turn them over",
    seats=("black", "white"),
    outcome=Outcome(can_be_drawn=True),
    length=119,
    source="LVLM-Playground",
    agents=Agents(
        {"disc_minimax": "mmgames.baselines.search.reversi:DiscMinimax"},
        reference=("minimax",),
        quick=("minimax:depth=2",),
    ),
    looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes"),
)
