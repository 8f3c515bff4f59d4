"""A battle of the sexes on a grid: meeting pays both, but each would rather meet on its own colour.

## Description
Red and blue share a 5×5 grid with one red and one blue block. They are paid only when both stand on the same block,
and the block's own colour is paid twice as much. They must agree without talking.

## Rules
- 50 steps, both players move at the same time, walls clip, players may share a cell or swap places.
- After the moves: both on one block are paid and that block respawns; on different blocks nobody is paid and both
  blocks respawn, red first; one player alone on a block changes nothing.
- Respawns go to a random cell without a player and without the other block. With `rules="released"` a block may come
  back on top of the other one; then meeting there counts as red and both respawn.

### Variations
`players=2…8`, `grid=3…15` (cells a side), `horizon=1…1000` (steps), and the payoffs `own_block`, `others_block` and
`apart`, whole numbers from -100 to 100. There are as many blocks as players, one of each colour, so a grid needs
twice as many cells as players.
- Two or more players on one block meet. Each of them is paid once for every other player there, `own_block` on its
  own colour and `others_block` on another: eight on the red block get 14 (red) and 7 (each other). So it is best to
  gather all in one place, and each would rather have it on its own colour. The block respawns.
- A player alone on a block, while somebody stands on another block, misses the others: it is paid `apart`, and that
  block respawns. If nobody is on another block, nothing happens.
- Blocks respawn in the order of the players. With `rules="released"` the first of the blocks on a cell counts.
- Between two players events are counted as below. With more of them three things are counted for each: it meets
  another on its own block, it meets another on another's block, both once for every player met, and it misses the
  others.

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, in this order; all are always legal. The origin is the bottom
left cell and `<UP>` adds one to y.

## Observation
The picture shows the grid on the left and, on the right, a table of the three events with what each pays red and blue
and how often it has happened. Features (15): own place, then for the other player, the own block and the other's
block the place and the offset, then the time; all scaled to [-1, 1]. Planes (5): oneself, the other player, the own
block, the other's, the time. With three to eight players each has a colour and a shape, so that a grey picture tells
them apart too: red disc, blue square, green triangle, yellow diamond, pink star, cyan cross, brown triangle on its
tip, black hourglass. What shares a cell is then drawn small, side by side, and the table has a line for each player
and a column for each kind of event. Features and planes then have all other players, from the seat after one's own
on, and all blocks, the own one first: 8·players - 1 features and 2·players + 1 planes.

## Rewards
| event | red | blue |
|---|---|---|
| both on the red block | +2 | +1 |
| both on the blue block | +1 | +2 |
| on different blocks | 0 | 0 |

## Episode end
Terminates after 50 steps.

## Agents
`common_welfare` goes to the block that all can reach soonest, `self_interest` to its own colour, `biased_red` and
`biased_blue` always to that colour. `optimum` follows the best plan for both players together, found by dynamic
programming; it is for the default options.

## Source
One of the three grid dilemmas of VS-Bench, after the battle of the sexes.
"""

from mmgames.core.spec import Option
from mmgames.games._dilemma import grid_dilemma

PAYS = {
    "own_block": (2, "what meeting another player on its own block pays a player"),
    "others_block": (1, "what meeting another player on a block of another colour pays a player"),
    "apart": (0, "what it pays to be alone on a block while others are on other blocks"),
}

SPEC = grid_dilemma(
    __name__,
    "BattleOfTheColors",
    "meet on a block; each prefers its own colour",
    pays=PAYS,
    planners={
        "common_welfare": "CommonWelfare",
        "self_interest": "SelfInterest",
        "biased_red": "BiasedRed",
        "biased_blue": "BiasedBlue",
    },
    reference="common_welfare",
    rules=Option("paper", "as the paper says, or as its released code does", choices=("paper", "released")),
)
