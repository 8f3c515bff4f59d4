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

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, in this order; all are always legal. The origin is the bottom
left cell and `<UP>` adds one to y.

## Observation
The picture shows the grid on the left and, on the right, a table of the three events with what each pays red and
blue and how often it has happened. Features (15): own place, then for the other player, the own block and the
other's block the place and the offset, then the time; all scaled to [-1, 1]. Planes (5): oneself, the other player,
the own block, the other's, the time.

## Rewards
| event | red | blue |
|---|---|---|
| both on the red block | +2 | +1 |
| both on the blue block | +1 | +2 |
| on different blocks | 0 | 0 |

## Episode end
Terminates after 50 steps.

## Agents
`common_welfare` goes to the block that both can reach soonest, `self_interest` to its own colour, `biased_red` and
`biased_blue` always to that colour.
`optimum` follows the best plan for both players together, found by dynamic programming.

## Source
One of the three grid dilemmas of VS-Bench, after the battle of the sexes.
"""

from mmgames.core.spec import Option
from mmgames.games._dilemma import grid_dilemma

SPEC = grid_dilemma(
    __name__,
    "BattleOfTheColors",
    "meet on a block; each prefers its own colour",
    planners={
        "common_welfare": "CommonWelfare",
        "self_interest": "SelfInterest",
        "biased_red": "BiasedRed",
        "biased_blue": "BiasedBlue",
    },
    reference="common_welfare",
    rules=Option("paper", "as the paper says, or as its released code does", choices=("paper", "released")),
)
