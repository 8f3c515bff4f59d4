"""Three in a row on a board of nine cells; X begins, or O.

## Description
Two players put their marks on a 3×3 board in turn. Three of one's own marks in a line win. With good play on both
sides every game is a draw, so the game tells quickly whether a player sees the board and two moves ahead.

## Rules
- X moves first (with `begins="o"` it is O), then the players take turns; a mark goes on any empty cell and stays there.
- Three equal marks in a row, a column or a diagonal win at once.
- A full board without such a line is a draw.

## Actions
Nine actions, one per cell, row by row from the top left: `A1`, `A2`, `A3`, `B1`, … `C3`. The letter is the row, A at
the top; the number is the column, 1 on the left. Replies may also say `1A` for `A1`. Cells that are taken are illegal.

## Observation
The picture shows the board with its row letters and column numbers, X in red and O in blue; the cell of the last
move is tinted and a winning line is struck through. Features (27): nine cells each that hold an own mark, a mark of
the other player, nothing; 1 or 0. Planes (3): the same.

## Rewards
+1 for the winner and -1 for the loser at the end, 0 for both in a draw.

## Episode end
Terminates when somebody has won or the board is full.

## Agents
`minimax` searches to the end of the game and never loses; among equally good moves it picks one at random. `mcts` is a
tree search with random games: `mcts:simulations=1000` is VS-Bench's opponent.

## Source
The smallest board game of LVLM-Playground and part of VS-Bench's mini set; the rules agree with
OpenSpiel's `tic_tac_toe`.
"""

from mmgames.core.spec import Agents, Option, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="TicTacToe",
    package=__name__,
    summary="three in a row on nine cells",
    seats=("x", "o"),
    outcome=Outcome(can_be_drawn=True),
    length=9,
    source="LVLM-Playground; VS-Bench (mini)",
    options={"begins": Option("x", "whose mark the first seat has, which begins", choices=("x", "o"))},
    agents=Agents(reference=("minimax",)),
    looks=("mirrored", "flipped", "rotated", "quarter", "night", "swapped", "shapes"),
)
