"""Five in a row on a board of 15×15 points; black begins.

## Description
Two players put stones on the points of a large board in turn. The first with five stones in an unbroken line wins. The
art is to make two threats at once, and to see the other's in time among many stones.

## Rules
- Black moves first, then the players take turns; a stone goes on any empty point and stays there.
- Five or more own stones in an unbroken line, along a row, a column or a diagonal, win at once. Longer lines count as
  well, for both sides, and no move is forbidden.
- A full board without such a line is a draw.

## Actions
225 actions, one per point, row by row from the top left: action 0 is `A1`, action 224 is `O15`. A point is named by its
row, A to O from top to bottom, and its column, 1 to 15 from left to right, so the middle is `H8`. Replies may also say
`8H` for `H8`. Points that are taken are illegal.

## Observation
The picture shows the board with its row letters and column numbers; the last stone has a red dot, and the stones of a
winning line have gold rings. Features (452), each 0 or 1: own stones (225) and the other's stones (225), row by row
from the top left, own turn (1), the seat (1, which is 1 for white). Planes (4): the same, single numbers filling a
plane.

## Rewards
+1 for the winner and -1 for the loser at the end, 0 for both in a draw.

## Episode end
Terminates when somebody has won or the board is full, after 225 moves at the most.

## Agents
`minimax` looks 2 moves ahead (`minimax:depth=4` more) among the points within two steps of a stone, and judges
positions by their patterns: fours, open threes and what can still become five. `mcts` searches 100 simulations with 10
random games each. Both run compiled. `alphazero` searches 64 positions with a network that learned from self-play; it
won 100 of 100 games against `minimax`.

## Source
One of the six games of LVLM-Playground, whose opponent looks 2 moves ahead too. The rules are this package's own.
"""

from mmgames.core.spec import Agents, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="Gomoku",
    package=__name__,
    summary="five in a row on a board of 15×15",
    seats=("black", "white"),
    outcome=Outcome(can_be_drawn=True),
    length=225,
    source="LVLM-Playground",
    agents=Agents(reference=("minimax",), quick=("minimax:depth=1",)),
    looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes"),
)
