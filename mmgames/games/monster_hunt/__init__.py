"""A stag hunt on a grid: safe apples for oneself, or a monster that only two can beat.

## Description
Red and blue share a 5×5 grid with two apples and a monster that follows them. Apples feed whoever eats them. The
monster hurts a lone player, but two players who meet it together defeat it for much more than an apple is worth.

## Rules
- 50 steps, both players move at the same time, walls clip, players may share a cell or swap places.
- Then the monster steps towards the closer player (Manhattan distance to the new places, ties at random; on a random
  axis if both differ); it stays if it is already there.
- Then apples: every player on one is paid, and an apple under a player or under the monster respawns.
- Then the monster: both players on its cell are paid and it respawns; a player alone with it pays, and respawns
  while the monster stays.
- Respawns go to a random cell that nothing and nobody is on.

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, in this order; all are always legal. The origin is the bottom
left cell and `<UP>` adds one to y.

## Observation
The picture shows the grid on the left and, on the right, a table of the five events with what each pays red and
blue and how often it has happened. Features (19): own place, then for the other player, the two apples and the
monster the place and the offset, then the time; all scaled to [-1, 1]. Planes (6): oneself, the other player, each
apple, the monster, the time.

## Rewards
| event | red | blue |
|---|---|---|
| red eats an apple | +2 | 0 |
| blue eats an apple | 0 | +2 |
| red meets the monster alone | -2 | 0 |
| blue meets the monster alone | 0 | -2 |
| both meet the monster | +5 | +5 |

## Episode end
Terminates after 50 steps.

## Agents
`chase` walks at the monster, `wait_middle` and `wait_corner` wait for it in the middle or in the bottom left corner,
`self_interest` walks to the nearest apple.
`optimum` follows the best plan for both players together, found by dynamic programming.

## Source
One of the three grid dilemmas of VS-Bench, after the stag hunt.
"""

from mmgames.games._dilemma import grid_dilemma

SPEC = grid_dilemma(
    __name__,
    "MonsterHunt",
    "apples alone, or the monster together",
    planners={
        "chase": "Chase",
        "wait_middle": "WaitMiddle",
        "wait_corner": "WaitCorner",
        "self_interest": "SelfInterest",
    },
    reference="wait_middle",
)
