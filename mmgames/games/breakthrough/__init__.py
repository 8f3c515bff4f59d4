"""A race of pieces across an 8×8 board: the first to reach the far side wins.

## Description
Two armies of sixteen pieces walk at each other, one step at a time, and capture sideways as pawns do. One piece that
gets through decides the game, so every exchange has to be counted out several moves ahead. There are no draws.

## Rules
- Black begins on ranks 8 and 7 and moves down the board; White begins on ranks 1 and 2 and moves up. Black moves first.
- A piece goes one square forward, straight or diagonally, if that square is empty.
- A piece captures diagonally forward and never straight ahead. Capturing is not compulsory.
- Black wins on rank 1 and White on rank 8; capturing the other's last piece wins as well. Somebody can always move.

## Actions
768 actions, OpenSpiel's own: start square, direction (three for black, three for white) and whether the move captures.
They are named by the squares they leave and enter, such as `a2a3` or `a2b3`; files are a to h from left to right, ranks
1 to 8 from bottom to top. Replies may also write `a2-a3`, and captures as `a2b3*` or `a2xb3`.

## Observation
The picture shows the board with its file letters and rank numbers, the same way up for both players. Black stones carry
an arrowhead that points down, white ones an arrowhead that points up; the two squares of the last move are gold.
Features (130), each 0 or 1: own pieces (64) and the other's pieces (64), row by row from the far side towards the own
one and from file a to file h, own turn (1), the seat (1, which is 1 for white). Planes (4): the same, single numbers
filling a plane.

## Rewards
+1 for the winner and -1 for the loser at the end.

## Episode end
Terminates when a piece reaches the far side or a player has no pieces left, after 209 moves at the most.

## Agents
`minimax` looks 5 moves ahead (`minimax:depth=3` fewer) and judges positions by how far each side's foremost piece has
come; `mcts` searches 100 simulations with 10 random games each (`mcts:simulations=1000`). Both run compiled.
`alphazero` searches 64 positions with a network that learned from self-play; it won 100 of 100 games against `minimax`.

## Source
Dan Troyka's game as played in VS-Bench; the rules agree with OpenSpiel's `breakthrough`.
"""

from mmgames.core.spec import Agents
from mmgames.games._board import board_game

SPEC = board_game(
    name="Breakthrough",
    package=__name__,
    summary="two armies race to the far side",
    seats=("black", "white"),
    length=209,
    source="VS-Bench",
    agents=Agents(reference=("minimax",), quick=("minimax:depth=2",)),
    looks=("mirrored", "night", "swapped", "shapes"),
)
