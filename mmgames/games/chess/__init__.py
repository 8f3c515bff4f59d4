"""Chess by the full rules, with moves in coordinates.

## Description
The game that search was invented for: two armies of sixteen pieces, no luck, nothing hidden. A player has to see the
board right before anything else, and then think further ahead than the other one.

## Rules
- White moves first. All the rules of chess hold: castling, capturing en passant, promotion to queen, rook, bishop or
  knight, and no move may leave the own king in check.
- Checkmate wins. Stalemate is a draw, and so is a position in which neither side has the pieces to give mate.
- The same position for the third time, or fifty moves by each side without a capture or a pawn move, is a draw at
  once: nobody has to claim it.

## Actions
1,968 actions: every way in which a queen or a knight could go from one square to another on an empty board (1,792),
and the 176 promotions. They are sorted by the square they leave (a1, b1, … h8), then the one they enter, then the new
piece (none, knight, bishop, rook, queen). They are named in UCI coordinates, such as `e2e4`, `e1g1` for castling and
`e7e8q`. Replies may use algebraic notation as well, `Nf3`, `exd5`, `O-O`, `e8=Q`, or `e2-e4`. Where a pawn on the
b-file and a bishop can make the same capture, `bxc3` and `Bxc3` are told apart by the capital.

## Observation
The picture shows the board with its file letters and rank numbers, White at the bottom for both players; the two
squares of the last move are gold, and a king in check stands on red. Features (785), from 0 to 1: six planes of 64
for the own pawns, knights, bishops, rooks, queens and king and six for the other's, row by row from the far side to
the own one and from file a to file h; the right to castle, own king's side, own queen's side, the other's (4); the
file on which a pawn can be captured en passant (8); own turn (1); the seat (1, which is 1 for black); the plies since
the last capture or pawn move, as a share of 100 (1); whether this position has been there before once, and twice (2).
Planes (29): the same, single numbers filling a plane.

## Rewards
+1 for the winner and -1 for the loser at the end, 0 for both in a draw.

## Episode end
Terminates with checkmate or a draw. The fifty-move rule ends every game, after 11,800 plies at the most.

## Agents
`alpha_beta` is a compiled search of 60,000 positions a move (`alpha_beta:nodes=300000` thinks longer,
`alpha_beta:depth=4` stops at that depth), about an eighth of a second; it won 20 games of 20 against Stockfish 15 at
skill 0 and 6 of 10 at skill 5, both with 0.05 seconds a move. `minimax` and `mcts` work too, with less knowledge of
chess; `mcts` takes about two seconds a move at its defaults. `uci` is any chess engine that speaks UCI:
`uci:/path/to/engine`, or `uci:/path/to/engine,time=0.5,skill=3`. Its options are `time` in seconds a move, `depth`,
`nodes` and `skill`; without a path it looks for `stockfish`.

## Source
The most demanding of the six games of LVLM-Playground, where the model plays White. The rules agree with python-chess
move by move; what a text means as a move is left to it.
"""

from mmgames.core.spec import Agents, Outcome
from mmgames.games._board import board_game

SPEC = board_game(
    name="Chess",
    package=__name__,
    summary="the full game, moves in coordinates",
    seats=("white", "black"),
    outcome=Outcome(can_be_drawn=True),
    length=11_800,
    source="LVLM-Playground",
    extras=("chess",),
    agents=Agents(
        {"alpha_beta": "mmgames.baselines.search.chess:AlphaBeta", "uci": "mmgames.baselines.search.uci:Uci"},
        reference=("alpha_beta",),
        quick=("alpha_beta:nodes=200",),
    ),
    looks=("night", "swapped"),
)
